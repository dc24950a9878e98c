import { limits } from '@svc/contracts/limits'
import { maskAndClean } from '../output/for-others.ts'
import { cleanText } from '../plan/clean-text.ts'
import { type Exit, exitOf } from '../processes/start-process.ts'
import { openAgentSession } from '../run/agent-session.ts'
import { textForOthers } from '../run/text-for-others.ts'
import type { AgentProcess, AgentStart } from './agent-process.ts'
import { startOrExplain } from './start-or-explain.ts'

/** It waits for a word on its input, and without one it does nothing: whoever would give it has gone, or may not. */
const gate = 'read -r word && [ "$word" = go ] || exit 125; exec "$@" < /dev/null'

/**
 * A step without a model. Its process is there from the spawn on, as an agent's is, and begins once the supervisor has
 * attached in its name. What it prints is its summary, and exit code 0 delivers that: kept before the exit is known, so
 * that whoever comes after a crash delivers it, too.
 */
export async function startStep({
  run,
  plan,
  output,
  spellings,
  stopping,
  heard,
}: AgentStart): Promise<AgentProcess> {
  const through = ['/bin/sh', '-c', gate, 'sh'] as const
  const { child, identity } = await startOrExplain(plan, { stdin: 'pipe', through })
  const session = openAgentSession(run)
  const { stdin } = child
  // one that has gone does not read the word any more
  stdin?.on('error', () => undefined)
  const printed = createEnd(limits.summaryCharacters)
  const reader = output.read(child, { shown: printed.add })
  const gone = new AbortController()
  let lastError: string | undefined

  const attached = session
    .attach(AbortSignal.any([stopping, gone.signal, run.fence]))
    .then(() => stdin?.end('go\n'))
    .catch((error: unknown) => {
      stdin?.end()
      if (stopping.aborted || gone.signal.aborted) return
      lastError = `The step did not begin, because it could not attach: ${messageOf(error)}`
      heard.error(lastError)
    })

  async function untilDelivered(): Promise<Exit> {
    const exit = await exitOf(child)
    gone.abort(new Error('the step has ended'))
    await attached
    await reader.settled()
    if (exit.exitCode !== 0 || stopping.aborted) return exit
    const summary = summaryOf(
      textForOthers(maskAndClean(printed.text(), spellings), run.order, run.env),
    )
    await session.deliver(summary).catch((error: unknown) => {
      lastError = `The step ended well, but was not delivered: ${messageOf(error)}`
    })
    return exit
  }

  return {
    identity,
    exited: untilDelivered(),
    stop: () => Promise.resolve(),
    usage: () => undefined,
    error: () => lastError,
  }
}

/** The last characters of what comes. */
function createEnd(characters: number) {
  let bytes = Buffer.alloc(0)
  return {
    add: (more: Buffer) => {
      bytes = Buffer.concat([bytes, more]).subarray(-4 * characters)
    },
    text: () => bytes.toString('utf8').replace(/^\ufffd+/, ''),
  }
}

function summaryOf(printed: string): string {
  const text = cleanText(printed).trim()
  if (text === '') return 'The step ended with exit code 0 and printed nothing.'
  if (text.length <= limits.summaryCharacters) return text
  const note = '[The beginning was cut: it stands in the log of the run.]\n'
  return `${note}${text.slice(note.length - limits.summaryCharacters)}`.toWellFormed()
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
