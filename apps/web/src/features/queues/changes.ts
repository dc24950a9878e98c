import type { RunQueueEntry } from '@svc/contracts/run-queue'
import type { Queue, Queues } from './reads.ts'

/** The queues after a change of one. */
export type Change = (queues: Queues) => Queues

/** That queue with these entries in this order; whatever it does not name goes behind them. */
export function withEntries(queueId: string, ids: readonly string[]): Change {
  return (queues) =>
    queues.map((queue) => {
      if (queue.id !== queueId) return queue
      const byId = new Map(queue.entries.map((entry) => [entry.id, entry]))
      const named = ids.flatMap((id) => byId.get(id) ?? [])
      const rest = queue.entries.filter(({ id }) => !ids.includes(id))
      return { ...queue, entries: [...named, ...rest] }
    })
}

/** What an answer says of a queue; what may be done about it is read again. */
export function withQueue(known: Omit<Queue, 'nextSteps'>): Change {
  return (queues) =>
    queues.map((queue) =>
      queue.id === known.id && queue.revision <= known.revision ? { ...queue, ...known } : queue,
    )
}

export function withoutEntry(entryId: string): Change {
  return (queues) =>
    queues.map((queue) => ({
      ...queue,
      entries: queue.entries.filter(({ id }) => id !== entryId),
    }))
}

export function findEntry(
  queues: Queues,
  entryId: string,
): { queue: Queue; entry: RunQueueEntry } | undefined {
  for (const queue of queues) {
    const entry = queue.entries.find(({ id }) => id === entryId)
    if (entry) return { queue, entry }
  }
  return undefined
}

/** The row of an entry, and where in it the focus goes. */
export function focusEntry(entryId: string): void {
  document.querySelector<HTMLElement>(`[data-sorted="${entryId}"] a[href]`)?.focus()
}
