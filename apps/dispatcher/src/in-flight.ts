import type { ClaimedJob } from '@svc/domain/jobs/jobs'
import type { DispatcherLimits } from './timing.ts'

export interface InFlight {
  /** How many more may begin; waits until that is worth a claim, or for the abort and answers 0. */
  room(signal: AbortSignal): Promise<number>
  /** Claimed jobs whose outcome is on its way to the database. */
  answered(): string[]
  /** A claimed job has a slot until `sent` resolves, and is unsettled until `settle` of its outcome does. */
  add<T>(job: ClaimedJob, sent: Promise<T>, settle: (outcome: T) => Promise<void>): void
  /** Called after an end that may let something else begin. */
  onFree(listener: () => void): void
  idle(): Promise<void>
  count(): number
}

/** The attempts that this process has begun. */
export function createInFlight(limits: DispatcherLimits): InFlight {
  const working = new Set<Promise<void>>()
  const unsettled = new Set<string>()
  const perGroup = new Map<string, number>()
  let [sending, begun] = [0, 0]
  let waiter: (() => void) | undefined
  let listener: (() => void) | undefined

  const free = () => Math.min(limits.slots - sending, limits.unsettled - unsettled.size)

  function change(group: string, by: number): void {
    sending += by
    const count = (perGroup.get(group) ?? 0) + by
    if (count === 0) perGroup.delete(group)
    else perGroup.set(group, count)
  }

  async function carry<T>(
    job: ClaimedJob,
    sent: Promise<T>,
    settle: (outcome: T) => Promise<void>,
  ): Promise<void> {
    const group = job.group ?? ''
    change(group, 1)
    const outcome = await sent
    const wasFull = free() <= 0 || (perGroup.get(group) ?? 0) >= limits.perSubscription
    change(group, -1)
    unsettled.add(job.id)
    notify(wasFull || sending === 0)
    await settle(outcome)
    const wasBlocked = free() <= 0
    unsettled.delete(job.id)
    notify(wasBlocked)
  }

  function notify(mayBegin: boolean): void {
    waiter?.()
    if (mayBegin) listener?.()
  }

  /** Until an attempt ends, the abort, or so many milliseconds. */
  function next(signal: AbortSignal, ms: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(done, ms)
      function done() {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      signal.addEventListener('abort', done)
      waiter = done
    })
  }

  return {
    async room(signal) {
      // one claim of many costs less than many of few: half of what was begun ends first, or a moment passes
      const enough = begun === 0 ? sending : sending / 2
      const endsAt = performance.now() + limits.claimWaitMs
      while (!signal.aborted) {
        const left = endsAt - performance.now()
        if (free() > 0 && (sending <= enough || left <= 0)) break
        await next(signal, free() > 0 ? left : undefined)
      }
      begun = 0
      return signal.aborted ? 0 : free()
    },
    answered: () => [...unsettled],
    add(job, sent, settle) {
      begun += 1
      const work = carry(job, sent, settle).finally(() => working.delete(work))
      working.add(work)
    },
    onFree(onChange) {
      listener = onChange
    },
    async idle() {
      while (working.size > 0) await Promise.allSettled(working)
    },
    count: () => working.size,
  }
}
