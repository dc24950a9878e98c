import { setImmediate } from 'node:timers/promises'
import type { ClaimedJob } from '@svc/domain/commit/jobs'
import type { DispatcherLimits } from './timing.ts'

export interface InFlight {
  /** How many more may begin; waits for the first where there is none, or for the abort and answers 0. */
  freeSlots(signal: AbortSignal): Promise<number>
  /** The groups that have all they may have in this process alone. */
  fullGroups(): string[]
  add(job: ClaimedJob, work: Promise<void>): void
  /** Told after an end that may let something else begin. */
  onFree(listener: () => void): void
  idle(): Promise<void>
  count(): number
}

/** The attempts that this process has begun. */
export function createInFlight({ slots, perSubscription }: DispatcherLimits): InFlight {
  const working = new Set<Promise<void>>()
  const perGroup = new Map<string, number>()
  let free: PromiseWithResolvers<void> | undefined
  let listener: (() => void) | undefined

  function change(group: string, by: number): number {
    const count = (perGroup.get(group) ?? 0) + by
    if (count === 0) perGroup.delete(group)
    else perGroup.set(group, count)
    return count
  }

  function end(work: Promise<void>, group: string): void {
    const wasFull = working.size >= slots || (perGroup.get(group) ?? 0) >= perSubscription
    working.delete(work)
    change(group, -1)
    free?.resolve()
    if (wasFull || working.size === 0) listener?.()
  }

  return {
    async freeSlots(signal) {
      while (working.size >= slots && !signal.aborted) {
        const next = Promise.withResolvers<void>()
        free = next
        const give = () => next.resolve()
        signal.addEventListener('abort', give, { once: true })
        await next.promise
        signal.removeEventListener('abort', give)
        // those that were written together end together
        await setImmediate()
      }
      return signal.aborted ? 0 : slots - working.size
    },
    fullGroups: () =>
      [...perGroup].filter(([, count]) => count >= perSubscription).map(([group]) => group),
    add(job, work) {
      const group = job.group ?? ''
      const tracked = work.finally(() => end(tracked, group))
      working.add(tracked)
      change(group, 1)
    },
    onFree(told) {
      listener = told
    },
    async idle() {
      while (working.size > 0) await Promise.allSettled(working)
    },
    count: () => working.size,
  }
}
