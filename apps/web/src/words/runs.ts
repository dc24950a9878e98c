import type { ExecutionRequest } from '@svc/contracts/execution-request'
import type { RequestStatus, RunOutcome, RunState } from '@svc/contracts/states'
import { isLive } from '../data/states.ts'
import { exitWords, failureWords, releaseWords } from './reasons.ts'
import { type Wording, outcomeWords, requestWords } from './states.ts'

const ending: Wording = {
  sign: '◔',
  word: 'ending',
  tone: 'waits',
  sentence: 'It was called off; its runner ends it.',
}

const goneOn: Wording = {
  sign: '‖',
  word: 'went on',
  tone: 'quiet',
  sentence: 'It ended while it waited, and another run went on with its work.',
}

/** What a run is in: its outcome where it has one, else its status. */
export function wordsOfRun(run: ExecutionRequest): Wording {
  if (run.cancelRequestedAt !== null && isLive(run)) return ending
  if (run.goneOn) return goneOn
  return run.outcome === null ? requestWords[run.status] : outcomeWords[run.outcome]
}

/** Why it waits, or why it ended without a delivery: sentences of the service first, then those for what it names. */
export function reasonsOfRun(run: ExecutionRequest): string[] {
  if (isLive(run)) {
    const back = run.status === 'launched' ? null : run.lastRelease
    return back ? [back.detail ?? said(releaseWords, back.reason)] : []
  }
  if (run.outcome === 'delivered') return []
  if (run.goneOn) return [goneOn.sentence]
  if (run.failure) return [said(failureWords, run.failure.code), run.failure.message]
  const { exit, refusedFor } = run
  const refused = refusedFor ? [`Its delivery was refused: ${refusedFor}.`] : []
  if (!exit) return [...refused, wordsOfRun(run).sentence]
  const how = exit.signal
    ? `It was ended by ${exit.signal}`
    : `Its exit code was ${exit.exitCode ?? 'unknown'}`
  return [
    ...refused,
    said(exitWords, exit.cause),
    `${how}.`,
    ...(exit.agentError ? [`It said last: ${exit.agentError}`] : []),
  ]
}

/** A name that only a later version of the service knows is said as it is. */
function said(words: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(words, name) ? (words[name] ?? name) : name
}

/** A state that runs are asked for by; a status that has outcomes stands for all of them. */
export function wordOfState(state: RunState): string {
  if (Object.hasOwn(outcomeWords, state)) return outcomeWords[state as RunOutcome].word
  // what is no outcome is a status
  return requestWords[state as RequestStatus].word
}
