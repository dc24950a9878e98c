import type { RunQueueEntry } from '@svc/contracts/run-queue'
import { useState } from 'react'
import { type Action, useAction } from '../../data/actions.ts'
import { toast } from '../../ui/toast-store.ts'
import { type Change, focusEntry, withoutEntry } from './changes.ts'
import type { Queue } from './reads.ts'

type Tried = Pick<Action<'retryRunQueueEntry'>, 'state' | 'again'>

/** What is done to one entry at a time. */
export interface Doing {
  retry: (entry: RunQueueEntry) => void
  remove: (entry: RunQueueEntry, queue: Queue) => void
  toQueue: (entry: RunQueueEntry, queue: Queue) => void
  /** The entry that it was done to last. */
  about: string | undefined
  actions: readonly Tried[]
  isSending: boolean
}

export function useDoing(keep: (change: Change) => void): Doing {
  const [last, setLast] = useState<{ entry: RunQueueEntry; beside: string | undefined }>()
  const retry = useAction('retryRunQueueEntry', {
    onDone: ({ entry }) => toast(`${entry.displayId} has the next turn`),
  })
  const remove = useAction('removeRunQueueEntry', {
    onDone: () => {
      if (last === undefined) return
      const { entry, beside } = last
      toast(`${entry.displayId} is out of the queue`)
      if (isFocused(entry.id)) {
        if (beside === undefined) document.getElementById('main')?.focus()
        else focusEntry(beside)
      }
      keep(withoutEntry(entry.id))
    },
  })
  const toQueue = useAction('queueObjective', {
    onDone: ({ entry, queue }) => toast(`${entry.displayId} is the last of ${queue.name}`),
  })
  const isSending = [retry, remove, toQueue].some(({ state }) => state.name === 'sending')
  /** One at a time, as its buttons say: what comes of it is said of this entry. */
  const begin = (entry: RunQueueEntry, beside: string | undefined, send: () => void) => {
    if (isSending) return
    for (const action of [retry, remove, toQueue]) action.dismiss()
    setLast({ entry, beside })
    send()
  }
  return {
    retry: (entry) => begin(entry, undefined, () => void retry.send({ id: entry.id })),
    remove: (entry, { entries }) => {
      const at = entries.findIndex(({ id }) => id === entry.id)
      const beside = (entries[at + 1] ?? entries[at - 1])?.id
      begin(entry, beside, () => void remove.send({ id: entry.id }))
    },
    toQueue: (entry, queue) => {
      const request = { objectiveId: entry.objectiveId, queue: queue.id }
      begin(entry, undefined, () => void toQueue.send(request))
    },
    about: last?.entry.id,
    actions: [retry, remove, toQueue],
    isSending,
  }
}

/** The focus is on its row, or was on a button of it that went. */
function isFocused(entryId: string): boolean {
  const { activeElement } = document
  if (activeElement === null || activeElement === document.body) return true
  return activeElement.closest(`[data-sorted="${entryId}"]`) !== null
}
