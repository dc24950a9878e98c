import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Reply, isUnreachable, svcProtocol } from './svc-command.ts'
import { type Switches, readSwitches } from './switches.ts'
import { doWork } from './work.ts'

const version = '1.0.0'

/** Exit code of a run that the service refused. */
const refusedExitCode = 4

async function main(): Promise<number> {
  const { values } = parseArgs({
    allowPositionals: true,
    options: {
      'system-prompt-file': { type: 'string' },
      model: { type: 'string' },
      'session-id': { type: 'string' },
      resume: { type: 'string' },
      version: { type: 'boolean' },
    },
  })
  if (values.version) return print(version, 0)
  const path = values['system-prompt-file'] ?? process.env['SVC_CONTEXT_FILE']
  const briefing = path === undefined ? '' : readFileSync(path, 'utf8')
  const switches = readSwitches(process.env['SVC_SCRIPTED'] ?? '', briefing)
  say(`read the briefing, ${briefing.length} characters`)
  if (values.resume) say(`goes on with conversation ${values.resume}`)
  await misbehaveBeforeAttach(switches)
  return work(switches, values.model)
}

async function work(switches: Switches, model: string | undefined): Promise<number> {
  const attached = await call('attach', '--agent', 'scripted', ...option('--model', model))
  say('attached')
  if (mustStop(attached)) return 0
  await misbehaveAfterAttach(switches)
  const pause = () => sleep(switches.slow * 1000)

  await pause()
  if (switches.ask && !(await hasAnswer(attached, switches.ask))) return 0
  const { file, commit } = await doWork(process.cwd(), titleOf(attached))
  say(commit === undefined ? `wrote ${file}` : `committed ${file} as ${commit.slice(0, 10)}`)
  if (mustStop(await call('update', '--text', `Wrote ${file}.`))) return 0
  say('reported an update')

  await pause()
  const steps = `1. Read ${file}.\n2. Close the mission.\n`
  const artifact = ['--type', 'next_steps', '--label', 'Next steps', '--content-text', steps]
  if (mustStop(await call('add-artifact', ...artifact))) return 0
  say('added an artifact')

  await pause()
  await call('deliver', ...delivery(file, commit))
  say('delivered')
  return switches.exitAfterDeliver
}

function delivery(file: string, commit: string | undefined): string[] {
  const where = commit === undefined ? 'not in a repository' : `commit ${commit}`
  const report = {
    humanActions: [{ action: `Read ${file}.` }],
    tradeoffsMade: [{ decision: 'One file, so that the change is easy to see.' }],
    assumptions: [
      { text: 'The working directory is the one to work in.', evidence: process.cwd() },
    ],
  }
  const rationale = {
    filePath: file,
    label: 'A line about this objective',
    summary: `Added a line to ${file}.`,
    why: 'To show that the agent worked here.',
    impact: 'None on other files.',
  }
  return [
    `--summary=Wrote ${file} (${where}).`,
    `--report-json=${JSON.stringify(report)}`,
    `--change-rationales-json=${JSON.stringify([rationale])}`,
  ]
}

/** False when nobody has answered and it is not to wait: its work goes on in another run. */
async function hasAnswer(attached: Reply, how: 'wait' | 'exit'): Promise<boolean> {
  const [known] = answersIn(attached)
  if (known !== undefined) return print(`was answered: ${known}`, true)
  const wait = how === 'wait' ? ['--wait'] : []
  const asked = await call('ask', '--question', 'Which language should the words be in?', ...wait)
  const isOpen = asked['status'] === 'open'
  say(isOpen ? 'asked, and ends until there is an answer' : 'asked, and was answered')
  return !isOpen && !mustStop(asked)
}

/** The answers to earlier questions that the reply to an attach holds. */
function answersIn({ pendingAnswers }: Reply): string[] {
  if (!Array.isArray(pendingAnswers)) return []
  return pendingAnswers.map((one: unknown) => JSON.stringify(one))
}

/** Tries again for as long as the service cannot be reached. */
async function call(...args: string[]): Promise<Reply> {
  for (;;) {
    try {
      return await svcProtocol(...args)
    } catch (error) {
      if (!isUnreachable(error)) throw error
      say(`${args[0]}: the service cannot be reached, trying again`)
      await sleep(1000)
    }
  }
}

function mustStop({ directive }: Reply): boolean {
  if (directive === 'stop') say('told to stop')
  return directive === 'stop'
}

function titleOf({ currentObjective }: Reply): string {
  const isObject = typeof currentObjective === 'object' && currentObjective !== null
  const title = isObject && 'title' in currentObjective ? currentObjective.title : undefined
  return typeof title === 'string' && title !== '' ? title : 'Work of the scripted agent'
}

async function misbehaveBeforeAttach(switches: Switches): Promise<void> {
  if (switches.ignoreSignals) ignoreSignals()
  if (switches.forkOutOfGroup) forkOutOfGroup()
  if (switches.crashBeforeAttach) crash()
  if (switches.hangBeforeAttach) await hang()
  await sleep(switches.talkLate * 1000)
}

async function misbehaveAfterAttach(switches: Switches): Promise<void> {
  if (switches.crashAfterAttach) crash()
  if (switches.hangAfterAttach) await hang()
}

function ignoreSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => say(`ignoring ${signal}`))
  }
}

/** A grandchild in a group of its own, which the end of ours does not reach. It keeps our environment. */
function forkOutOfGroup(): void {
  const options = { detached: true, stdio: 'ignore' } as const
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 3_600_000)'], options)
  child.unref()
  say(`started process ${child.pid} in a group of its own`)
}

function crash(): void {
  say('crashing')
  process.kill(process.pid, 'SIGKILL')
}

async function hang(): Promise<void> {
  say('hanging')
  for (;;) await sleep(60_000)
}

function option(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value]
}

function say(text: string): void {
  process.stdout.write(`scripted agent: ${text}\n`)
}

function print<T>(text: string, answer: T): T {
  process.stdout.write(`${text}\n`)
  return answer
}

try {
  process.exitCode = await main()
} catch (error) {
  // The command's own line on stderr says what was refused.
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
  process.stderr.write(
    `scripted agent: ${said || (error instanceof Error ? error.stack : String(error))}\n`,
  )
  process.exitCode = refusedExitCode
}
