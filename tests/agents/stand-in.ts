/**
 * Stands in for a tool by its recording, whose agent is the first argument: prints line by line what the tool printed, and
 * does between them what it did. The others are the tool's own arguments.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { type Part, readRecording } from './recording.ts'

const [agent = '', ...args] = process.argv.slice(2)
const recording = readRecording(agent)

if (args.includes('--version')) process.stdout.write(`${recording.version}\n`)
else play()

function play(): void {
  const goesOn = args.some((word) => word === '--resume' || word === 'resume')
  const refused = process.env['STAND_IN_REFUSES']
  const key = refused === 'quotaWall' || refused === 'signedOut' ? refused : undefined
  const { parts, exitCode } = recording[key ?? (goesOn ? 'resumed' : 'first')]
  for (const part of parts) take(part)
  process.exitCode = exitCode
}

function take(part: Part): void {
  if (typeof part === 'string') process.stdout.write(`${part}\n`)
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
