import type { HeartbeatAnswer, RunnerDirective } from '@svc/contracts/runner'
import { sleep, waitMs } from '@svc/client/retry'
import type { ServiceError } from '@svc/contracts/errors'
import { readRunFacts, runFactsPaths } from '../files/run-facts.ts'
import { findStep } from '../run/journal.ts'
import type { Run } from '../run/run.ts'
import { isOfRunner } from '../run/until-reached.ts'

type Renewed = Extract<HeartbeatAnswer['leases'][number], { ok: true }>
type CheckWanted = Extract<RunnerDirective, { type: 'check' }>
export type LeaseState = 'preparing' | 'running' | 'exited'

export interface LeaseEvents {
  superseded: () => void
  cancelled: (graceSeconds: number) => void
  /** Cut off from the service for longer than the lease, and the agent has not attached. */
  lapsed: () => void
  /** The service does not take the token, or its right: said once, until it is accepted again. */
  refused: (refusal: ServiceError) => void
  accepted: () => void
  /** Refused for as long as a lease lasts; said with every further refusal. */
  refusedForGood: () => void
  renewed: (renewed: Pick<Renewed, 'attached' | 'outcome'>) => void
  /** A delivery waits for the checks of the run. */
  checkWanted: (wanted: Pick<CheckWanted, 'attempt' | 'names'>) => void
}

export interface Lease extends AsyncDisposable {
  setState: (state: LeaseState) => void
  /** Renews it before its time: the service may have something to say. */
  renewNow: () => void
}

/** Renews the lease until it is disposed. One pass after the other; the first at once. */
export function startLease(run: Run, events: LeaseEvents): Lease {
  const ending = new AbortController()
  const signal = AbortSignal.any([ending.signal, run.fence])
  let state: LeaseState = 'preparing'
  const pausing = pauseUntilAsked(Math.min(1_000, run.order.heartbeatSeconds * 300), signal)
  const renewing = renewAll(run, {
    state: () => state,
    pause: pausing.pause,
    events,
    signal,
  }).catch((error: unknown) => {
    if (!signal.aborted) run.log.warn({ err: error }, 'the lease is no longer renewed')
  })
  return {
    setState(next) {
      state = next
    },
    renewNow: pausing.end,
    async [Symbol.asyncDispose]() {
      ending.abort(new Error('the run is over'))
      await renewing
    },
  }
}

/** A pause that others may end, though never sooner than after so long. */
function pauseUntilAsked(leastMs: number, signal: AbortSignal) {
  let isAsked = false
  let early = new AbortController()
  return {
    pause: async (ms: number): Promise<void> => {
      await sleep(Math.min(leastMs, ms), signal)
      early = new AbortController()
      if (!isAsked) {
        await sleep(ms - leastMs, AbortSignal.any([signal, early.signal])).catch(() => undefined)
      }
      signal.throwIfAborted()
      isAsked = false
    },
    end: () => {
      isAsked = true
      early.abort()
    },
  }
}

interface Renewing {
  state: () => LeaseState
  pause: (ms: number) => Promise<void>
  events: LeaseEvents
  signal: AbortSignal
}

async function renewAll(run: Run, { state, pause, events, signal }: Renewing): Promise<void> {
  const { leaseSeconds, heartbeatSeconds } = run.order
  let renewedAt = performance.now()
  let attached = false
  let failures = 0
  const refusal = watchRefusal(leaseSeconds, events)
  while (!signal.aborted) {
    const began = performance.now()
    const { answer, refused } = await renewOnce(run, state(), signal)
    attached ||= hasLeftItsMark(run)
    const remainingMs = renewedAt + leaseSeconds * 1000 - performance.now()
    if (refused !== undefined) {
      refusal.refused(refused)
      await pause(heartbeatSeconds * 1000)
    } else if (answer !== undefined) {
      failures = 0
      renewedAt = began
      refusal.accepted()
      const isAttached = announce(run, answer, events)
      attached ||= isAttached
      await pause(heartbeatSeconds * 1000)
    } else if (slept(began, heartbeatSeconds)) {
      // The machine was asleep and the call died with it: what has become of the lease is known after the next call.
      failures = 0
    } else if (!attached && remainingMs <= 0) {
      events.lapsed()
      await sleep(heartbeatSeconds * 1000, signal)
    } else {
      failures += 1
      const pauseMs = waitMs(failures, run.pace, null)
      await sleep(attached ? pauseMs : Math.min(pauseMs, Math.max(50, remainingMs)), signal)
    }
  }
}

/** A no is not an outage, which an attached agent outlasts: it has a lease's time to be taken back. Decision 40. */
function watchRefusal(leaseSeconds: number, events: LeaseEvents) {
  let since: number | undefined
  return {
    refused(refusal: ServiceError) {
      if (since === undefined) events.refused(refusal)
      since ??= performance.now()
      if (performance.now() - since >= leaseSeconds * 1000) events.refusedForGood()
    },
    accepted() {
      if (since !== undefined) events.accepted()
      since = undefined
    },
  }
}

/** The agent's attach may have been answered since the last renewal that was: then the run is not given to another. */
function hasLeftItsMark(run: Run): boolean {
  const { workingDirectory } = findStep(run.steps(), 'prepared') ?? {}
  const paths = runFactsPaths({ ...run, workingDirectory })
  return readRunFacts(paths, run.generation).sessionKey !== undefined
}

/** Neither when the service could not be asked. */
async function renewOnce(
  run: Run,
  state: LeaseState,
  signal: AbortSignal,
): Promise<{ answer?: HeartbeatAnswer; refused?: ServiceError }> {
  const lease = { requestId: run.requestId, leaseToken: run.order.leaseToken, state }
  try {
    const answer = await run.client.call(
      'heartbeatRunner',
      { instanceId: run.order.instanceId, leases: [lease] },
      {
        signal: AbortSignal.any([
          signal,
          AbortSignal.timeout(timeoutMs(run.order.heartbeatSeconds)),
        ]),
        retry: { attempts: 1 },
      },
    )
    return { answer }
  } catch (error) {
    if (!signal.aborted) run.log.warn({ err: error }, 'the lease could not be renewed')
    return isOfRunner(error) ? { refused: error } : {}
  }
}

/** True when the answer says that the agent has attached. */
function announce(run: Run, answer: HeartbeatAnswer, events: LeaseEvents): boolean {
  const mine = answer.leases.find(({ requestId }) => requestId === run.requestId)
  if (mine?.ok === false) events.superseded()
  for (const directive of answer.directives) {
    if (directive.type === 'cancel' && directive.requestId === run.requestId) {
      events.cancelled(directive.graceSeconds)
    }
    if (directive.type === 'check' && directive.requestId === run.requestId) {
      events.checkWanted(directive)
    }
    if (directive.type === 'answer_available') {
      run.log.info({ questionId: directive.questionId }, 'an answer waits for the agent')
    }
  }
  if (!mine?.ok) return false
  events.renewed(mine)
  return mine.attached
}

function timeoutMs(heartbeatSeconds: number): number {
  return Math.max(1_000, heartbeatSeconds * 1_000)
}

function slept(began: number, heartbeatSeconds: number): boolean {
  return performance.now() - began > timeoutMs(heartbeatSeconds) + 2_000
}
