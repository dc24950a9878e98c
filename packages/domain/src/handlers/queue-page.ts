import type { RunQueueEntry } from '@svc/contracts/run-queue'
import { validationFailed } from '../common/errors.ts'
import { readCursor } from '../common/page.ts'
import type { WholeQueue } from '../entities/run-queues/views.ts'

/** Well below what a result may have, so that no entry is cut from a page that says it is whole. */
const mostCharacters = 48_000

interface Page {
  limit: number
  cursor?: string | undefined
}

/** Every queue, with those of its entries that are on the page, each as `viewOf` shows it. One entry alone is never cut. */
export function pageOfEntries<Entry>(
  queues: readonly WholeQueue[],
  { limit, cursor }: Page,
  viewOf: (entry: RunQueueEntry) => Entry,
) {
  const all = queues.flatMap(({ entries }) => entries)
  const page = new Map<string, Entry>()
  let characters = 0
  for (const entry of all.slice(beginOf(all, readCursor(cursor)))) {
    const view = viewOf(entry)
    characters += JSON.stringify(view).length
    if (page.size > 0 && (page.size === limit || characters > mostCharacters)) break
    page.set(entry.id, view)
  }
  const last = [...page.keys()].at(-1)
  return {
    queues: queues.map(({ entries, ...queue }) => ({
      ...queue,
      entries: entries.flatMap(({ id }) => page.get(id) ?? []),
    })),
    ...(last !== undefined && last !== all.at(-1)?.id && { nextCursor: last }),
  }
}

function beginOf(all: readonly RunQueueEntry[], cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const index = all.findIndex(({ id }) => id === cursor)
  if (index >= 0) return index + 1
  throw validationFailed('cursor', 'its entry is in no queue any more: begin without a cursor')
}
