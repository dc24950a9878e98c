import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { MetLimit } from '@svc/contracts/agent-limit'
import type { Connection } from '../agents/acp/connection.ts'
import { type Ears, type Speech, converse } from '../agents/acp/converse.ts'
import { openHearing } from '../agents/acp/hear.ts'
import { type Message, textOf } from '../agents/acp/message.ts'
import type { Adapter } from '../agents/adapter.ts'
import { classifyError } from '../agents/limits.ts'
import { maskAndClean } from '../output/for-others.ts'
import { createTextMask } from '../output/mask.ts'
import { atOnce, endRunProcesses } from '../processes/graceful-termination.ts'
import { type Exit, type StartedProcess, exitOf } from '../processes/start-process.ts'
import { openAgentSession } from '../run/agent-session.ts'
import { textForOthers } from '../run/text-for-others.ts'
import type { AgentProcess, AgentStart } from './agent-process.ts'
import { decidePermissions } from './decide-permission.ts'
import { reportProgress } from './report-progress.ts'
import type { OutputReader } from './run-output.ts'
import { startOrExplain } from './start-or-explain.ts'

/** So long an agent may take to leave off when it is told to, before it is ended by signals. */
const cancelMs = 2_000
/** With so many messages that the agent has not read, nothing more is read from it. */
const mostUnread = 100

/**
 * Starts an agent that speaks the Agent Client Protocol: one process, one conversation, one turn. The end of the turn is
 * never a delivery: the process is ended, and the run counts as exited.
 */
export async function startByProtocol(start: AgentStart): Promise<AgentProcess> {
  // only runs of such agents pay for it
  const { connect } = await import('../agents/acp/connection.ts')
  const { run, plan, adapter, output, spellings, stopping, heard } = start
  const started = await startOrExplain(plan, { stdin: 'pipe' })
  const gone = new AbortController()
  const ending = AbortSignal.any([gone.signal, stopping, run.fence])
  const mask = createTextMask(spellings)
  const shown = (text: string) => textForOthers(maskAndClean(text, spellings), run.order, run.env)
  const note = (sentence: string) => output.show(`[${mask(sentence)}]\n`)
  const session = openAgentSession(run)
  const hearing = openHearing(
    { spellings, briefing: plan.said.briefing, tokensOf: adapter.tokensOf },
    {
      write: output.show,
      note,
      receive: (message) => connection.receive(message),
      printed(line) {
        const limit = classifyError(adapter.limits, { message: line }, new Date(), 'printed')
        if (limit === undefined || turn.isOver()) return
        turn.fail(failureOf(adapter.key, line))
        heard.limit(limit, true)
      },
    },
  )
  const permissions = decidePermissions({ run, plan, session, ...hearing, shown, note })
  const connection = connect({
    send: sendTo(started.child, hearing.said),
    decide: (request, signal) => permissions.decide(request, AbortSignal.any([signal, ending])),
  })
  const { output: instead, errors: rawErrors } = hearing
  const reader = output.read(started.child, { instead, rawErrors })
  const turn = beginTurn(start, connection, { note, ending, ...hearing })
  const take = () => shownOf(hearing.takeProgress(), shown)
  const told = reportProgress(run, { session, take, signal: ending }).catch((error: unknown) => {
    if (!ending.aborted) run.log.warn({ err: error }, 'the progress is no longer reported')
  })
  void turn.over.then(() => endAfterTurn(start, started))

  async function untilExited(): Promise<Exit> {
    const exit = await untilGone(start, started, { turn, reader, waiting: permissions.waiting })
    gone.abort(new Error('the agent has ended'))
    connection[Symbol.dispose]()
    await told
    return exit
  }

  return {
    identity: started.identity,
    exited: untilExited(),
    async stop() {
      await turn.leaveOff()
      started.child.stdin?.end()
    },
    usage: hearing.usage,
    error: turn.error,
  }
}

function shownOf(text: string | undefined, shown: (text: string) => string): string | undefined {
  return text === undefined ? undefined : shown(text)
}

/** The one turn of a run, from the first word to the end, whatever that is. */
interface Turn {
  /** Resolves when nothing more is said, and never rejects. */
  over: Promise<void>
  isOver: () => boolean
  leaveOff: () => Promise<void>
  /** The first thing that went wrong is the cause of what follows. */
  fail: (sentence: string) => void
  error: () => string | undefined
}

interface Talk extends Pick<Ears, 'note'> {
  ending: AbortSignal
  replay: (isReplayed: boolean) => void
  replayed: () => Promise<void>
  prompted: (answer: Message) => void
  lastWords: () => string
}

function beginTurn(
  { run, plan, adapter, stopping, heard }: AgentStart,
  connection: Connection,
  { note, ending, replay, replayed, prompted, lastWords }: Talk,
): Turn {
  let sessionId: string | undefined
  let isOver = false
  let lastError: string | undefined

  function fail(sentence: string): void {
    if (lastError !== undefined) return
    lastError = sentence
    note(sentence)
    heard.error(sentence)
  }

  const ears: Ears = {
    onSession(id) {
      sessionId = id
      heard.sessionId(id)
    },
    onReplay: replay,
    replayed,
    note,
  }

  async function talk(): Promise<void> {
    try {
      const answer = await converse(connection, speechOf({ run, plan, adapter }), ears)
      prompted(answer)
      if (stopping.aborted) return
      const why = unusualEnd(adapter.key, textOf(answer['stopReason']))
      if (why !== undefined) fail(why)
      const words = lastWords()
      const limit = classifyError(adapter.limits, { message: words }, new Date(), 'message')
      if (limit === undefined) return
      heard.limit(limit, false)
      fail(failureOf(adapter.key, words))
    } catch (error) {
      if (ending.aborted) return
      const limit = limitIn(adapter, error)
      if (limit) heard.limit(limit, false)
      fail(failureOf(adapter.key, error))
    } finally {
      isOver = true
    }
  }

  const over = talk()
  return {
    over,
    isOver: () => isOver,
    async leaveOff() {
      if (sessionId !== undefined) await leaveOff(connection, sessionId, over)
    },
    fail,
    error: () => lastError,
  }
}

function speechOf({ run, plan, adapter }: Pick<AgentStart, 'run' | 'plan' | 'adapter'>): Speech {
  const { model, ...said } = plan.said
  const isInArguments = adapter.argv.flat().some((word) => word.includes('{model}'))
  return {
    ...said,
    model: isInArguments ? null : model,
    agent: adapter.key,
    cwd: plan.workingDirectory,
    resumed: plan.externalSessionId,
    initializeSeconds: run.order.timing.initializeSeconds,
  }
}

/** Writes each message as a line. As long as an agent does not read, it is not read either. */
function sendTo(
  { stdin, stdout }: ChildProcess,
  said: (message: Message) => void,
): (message: Message) => Promise<void> {
  let unread = 0
  // writing to an agent that has ended fails; its exit is handled elsewhere
  stdin?.on('error', () => undefined)
  return async (message) => {
    said(message)
    if (stdin === null || stdin.destroyed || stdin.writableEnded) return
    unread += 1
    if (unread > mostUnread) stdout?.pause()
    const hasRoom = stdin.write(`${JSON.stringify(message)}\n`)
    if (!hasRoom) await Promise.race([once(stdin, 'drain'), once(stdin, 'close')])
    unread -= 1
    if (unread === 0) stdout?.resume()
  }
}

/** One whose turn is over has nothing left to do: it ends when nobody speaks to it any more, or is ended. */
async function endAfterTurn(
  { run }: AgentStart,
  { child, identity }: StartedProcess,
): Promise<void> {
  const { timing } = run.order
  child.stdin?.end()
  const isLate = await isLaterThan(timing.closeSeconds * 1000, exitOf(child))
  if (isLate) await endRunProcesses([identity], run.marker, timing)
}

interface Ending {
  turn: Turn
  reader: OutputReader
  /** What it waits for an answer to. */
  waiting: () => string | undefined
}

async function untilGone(
  { run, adapter, stopping }: AgentStart,
  { child, identity }: StartedProcess,
  { turn, reader, waiting }: Ending,
): Promise<Exit> {
  const exit = await exitOf(child)
  // what it has started goes on without it, and decides for itself what nobody answers any more
  const endRest = () => endRunProcesses([identity], run.marker, atOnce)
  if (!turn.isOver() && exit.exitCode !== 0) await endRest()
  // its last messages may still be in the pipe
  await reader.settled()
  await setImmediate()
  if (turn.isOver()) return exit
  if (!stopping.aborted) turn.fail(brokenOff(adapter.key, waiting()))
  await endRest()
  return exit
}

async function leaveOff(
  connection: Connection,
  sessionId: string,
  over: Promise<void>,
): Promise<void> {
  await connection.cancel(sessionId).catch(() => undefined)
  await isLaterThan(cancelMs, over)
}

async function isLaterThan(ms: number, what: Promise<unknown>): Promise<boolean> {
  const waiting = new AbortController()
  const { signal } = waiting
  const late = sleep(ms, true, { signal }).catch(() => false)
  const isLate = await Promise.race([late, what.then(() => false)])
  waiting.abort()
  return isLate
}

function unusualEnd(agent: string, stopReason: string | undefined): string | undefined {
  return stopReason === 'end_turn' || stopReason === 'cancelled'
    ? undefined
    : `${agent} left off before it was done: ${stopReason ?? 'it did not say why'}`
}

/** Said by the error of a turn alone, after which some agents exit as if nothing had been wrong. */
function limitIn({ limits }: Adapter, error: unknown): MetLimit | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'number' ? error.code : undefined
  return classifyError(limits, { message: error.message, code }, new Date())
}

function failureOf(agent: string, error: unknown): string {
  const said = error instanceof Error ? error.message : String(error)
  return said.startsWith(agent) ? said : `${agent}: ${said}`
}

function brokenOff(agent: string, asked: string | undefined): string {
  const meanwhile = asked === undefined ? '' : `, while it waited for an answer to: ${asked}`
  return `${agent} ended in the middle of its turn${meanwhile}`
}
