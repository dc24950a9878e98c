import { boundOutput } from '@svc/contracts/mcp/tool-bounds'
import type { RunQueueEntry } from '@svc/contracts/run-queue'
import { describe, expect, test } from 'vitest'
import type { WholeQueue } from '../entities/run-queues/views.ts'
import { pageOfEntries } from './queue-page.ts'

const uuid = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
const entry = (number: number, title = 'a'): RunQueueEntry => ({
  id: uuid(number),
  objectiveId: uuid(number),
  displayId: `web:${number}.k7qd`,
  title,
  position: number,
  state: 'waiting',
  reason: 'turn',
  waitingOn: null,
  attempt: 0,
  turnGrantedBy: null,
  queuedBy: uuid(0),
  executionRequestId: null,
  hold: null,
})
const queue = (name: string, entries: RunQueueEntry[]): WholeQueue => ({
  id: uuid(900 + entries.length),
  projectId: uuid(800),
  name,
  position: 1,
  isDefault: false,
  state: 'idle',
  pausedAt: null,
  pausedBy: null,
  pauseReason: null,
  advanceOwedSince: null,
  revision: 1,
  entries,
})
const upTo = (count: number, title?: string) =>
  Array.from({ length: count }, (_, index) => entry(index + 1, title))

/** Page after page, as an agent reads them: the names of the queues and the ids of their entries. */
function pagesOf(queues: readonly WholeQueue[], limit: number) {
  const pages: ReturnType<typeof pageOfEntries<RunQueueEntry>>[] = []
  let cursor: string | undefined
  do {
    pages.push(pageOfEntries(queues, { limit, cursor }, (one) => one))
    cursor = pages.at(-1)?.nextCursor
  } while (cursor !== undefined)
  return pages
}

describe('the entries of queues', () => {
  test('come page by page over all queues, each once and in order, with every queue', () => {
    const queues = [queue('One', upTo(3)), queue('None', []), queue('Two', [entry(4), entry(5)])]
    const pages = pagesOf(queues, 2)
    const shown = pages.map((page) =>
      page.queues.map(({ name, entries }) => [name, entries.map(({ position }) => position)]),
    )
    expect(shown).toEqual([
      [
        ['One', [1, 2]],
        ['None', []],
        ['Two', []],
      ],
      [
        ['One', [3]],
        ['None', []],
        ['Two', [4]],
      ],
      [
        ['One', []],
        ['None', []],
        ['Two', [5]],
      ],
    ])
    expect(pagesOf([queue('None', [])], 2)).toHaveLength(1)
  })

  test('fill no page so far that it would be cut', () => {
    const queues = [queue('One', upTo(500, 'x'.repeat(300)))]
    const pages = pagesOf(queues, 200)
    for (const page of pages) expect(boundOutput({ ...page })).toEqual(page)
    const ids = pages
      .flatMap((page) => page.queues.flatMap(({ entries }) => entries))
      .map(({ id }) => id)
    expect(ids).toEqual(queues[0]?.entries.map(({ id }) => id))
  })

  test('are not gone on with behind one that left', () => {
    const goOn = () =>
      pageOfEntries([queue('One', upTo(3))], { limit: 2, cursor: uuid(9) }, (one) => one)
    expect(goOn).toThrow(/begin without a cursor/)
  })
})
