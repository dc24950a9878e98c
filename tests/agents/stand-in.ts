/**
 * Stands in for a tool by its recording, whose agent is the first argument: prints line by line what the tool printed, and
 * does between them what it did. The others are the tool's own arguments.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Part,
  type ProcessRecording,
  type Recording,
  ownFolder,
  readRecording,
} from './recording.ts'
import { type Said, parseSaid } from './said.ts'

const [agent = '', ...args] = process.argv.slice(2)
const recording = readRecording(agent)
const refused = process.env['STAND_IN_REFUSES']

if (args.includes('--version')) process.stdout.write(`${recording.version}\n`)
else if (recording.first.parts.some((part) => typeof part === 'string' && parseSaid(part)))
  await speak()
else print(wordsOf(args.some((word) => word === '--resume' || word === 'resume')))

function wordsOf(goesOn: boolean): ProcessRecording {
  const { quotaWall, signedOut, first, resumed }: Recording = recording
  if (refused === 'quotaWall' && quotaWall) return quotaWall
  if (refused === 'signedOut') return signedOut
  return goesOn ? resumed : first
}

function print({ parts, exitCode }: ProcessRecording): void {
  for (const part of parts) take(part)
  process.exitCode = exitCode
}

/** By the Agent Client Protocol: it answers what it was asked, and waits for the answers to what it asks. */
async function speak(): Promise<void> {
  const heard: Said[] = []
  const input = createInterface({ input: process.stdin })
  input.on('line', (line) => heard.push(...[parseSaid(line)].filter((said) => said !== undefined)))
  const closed = new Promise((resolve) => void input.once('close', resolve))
  const isSent = ({ id }: Said, isRequest: boolean) =>
    heard.some((said) => said.id === id && (said.method !== undefined) === isRequest)
  const isCalled = (name: string) => heard.some(({ method }) => method === name)
  const until = async (is: () => boolean) => {
    while (!is()) await sleep(5)
  }

  await until(() => heard.length > 0)
  print({ parts: recording.first.parts.slice(0, 1), exitCode: 0 })
  await until(() => heard.some(({ method }) => method?.startsWith('session/')))
  const { parts, exitCode } = wordsOf(
    heard.some(({ method }) => method !== 'initialize' && method !== 'session/new'),
  )
  for (const part of parts.slice(1)) {
    const said = typeof part === 'string' ? parseSaid(part) : undefined
    const isAnswer = said?.id !== undefined && said.method === undefined
    if (said && isAnswer) await until(() => isSent(said, true))
    take(part)
    if (said?.id !== undefined && !isAnswer) await until(() => isSent(said, false))
    if (said && isAnswer) await until(() => isCalled('session/prompt'))
    // what it has said there is said in vain until somebody ends it
    if (typeof part !== 'string' && 'err' in part) await until(() => isCalled('session/cancel'))
  }
  await closed
  process.exitCode = exitCode
}

function take(part: Part): void {
  if (typeof part === 'string')
    process.stdout.write(`${part.replaceAll(ownFolder, process.cwd())}\n`)
  else if ('err' in part) process.stderr.write(`${part.err}\n`)
  else if ('write' in part) writeFileSync(part.write, part.content)
  else run(part.run)
}

/** What it says of that stands in the next line, as the tool printed it. */
function run(command: string): void {
  try {
    execFileSync('/bin/sh', ['-c', command], { stdio: 'ignore' })
  } catch {
    // the tool's own command may have ended so, too
  }
}
