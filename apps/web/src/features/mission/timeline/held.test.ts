import { describe, expect, test } from 'vitest'
import {
  type Held,
  type HeldPage,
  completed,
  countWaiting,
  holdsNewest,
  isOverfull,
  lacksAuthors,
  linesOf,
  mostLines,
  nothingHeld,
  pageLines,
  withNew,
  withNewer,
  withNewest,
  withOlder,
  withWaiting,
} from './held.ts'
import type { Line } from './line.ts'

const line = (number: number, actor: Line['actor'] = { name: 'Ada', role: 'person' }): Line => ({
  id: `event-${number}`,
  objectiveId: null,
  type: 'update',
  summary: String(number),
  actor,
  createdAt: '2026-11-26T00:00:00.000Z',
})

/** A history of so many entries, as the service answers it in pages. */
function historyOf(count: number) {
  const all = Array.from({ length: count }, (_, index) => line(count - index))
  return (cursor?: string): HeldPage => {
    const from = cursor === undefined ? 0 : Number(cursor)
    const next = from + pageLines
    return {
      cursor,
      next: next < count ? String(next) : undefined,
      lines: all.slice(from, next),
    }
  }
}

const numbers = (held: Held) => linesOf(held).map(({ summary }) => Number(summary))
const range = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index)

describe('what is held of a history', () => {
  test('stays within its bound however far one reads back, and goes on without a gap both ways', () => {
    const page = historyOf(1_000)
    let held = withNewest(page())
    for (;;) {
      const next = held.pages.at(-1)?.next
      if (next === undefined) break
      held = withOlder(held, page(next))
      expect(linesOf(held).length).toBeLessThanOrEqual(mostLines)
    }
    expect(numbers(held)).toEqual(range(400, 1))
    expect(holdsNewest(held)).toBe(false)
    held = withNewer(held, page(held.newer.at(-1)))
    expect(numbers(held)).toEqual(range(600, 201))
    held = withNewer(held, page(held.newer.at(-1)))
    held = withNewer(held, page(held.newer.at(-1)))
    expect(numbers(held)).toEqual(range(1_000, 801))
    expect(holdsNewest(held)).toBe(true)
  })

  test('has a new line on top at once where that moves nothing, and once however often it is told', () => {
    let held = withNewest(historyOf(3)())
    held = withNew(held, line(4), false)
    held = withNew(held, line(4), false)
    expect(numbers(held)).toEqual([4, 3, 2, 1])
  })

  test('lets new lines wait where they would move what is looked at, in their order', () => {
    let held = withNewest(historyOf(2)())
    for (const number of [3, 4, 4]) held = withNew(held, line(number), true)
    expect([numbers(held), countWaiting(held)]).toEqual([[2, 1], 2])
    const after = withWaiting(held)
    expect(after).not.toBe('read again')
    expect(numbers(after as Held)).toEqual([4, 3, 2, 1])
  })

  test('counts what comes while older pages are shown, and reads it with the newest', () => {
    const page = historyOf(700)
    let held = withNewest(page())
    held = withOlder(held, page('200'))
    held = withNew(held, line(701), true)
    held = withOlder(held, page('400'))
    held = withNew(held, line(702), false)
    expect(countWaiting(held)).toBe(2)
    expect(withWaiting(held)).toBe('read again')
  })

  test('reads the newest page again once it has grown too long', () => {
    let held = withNewest(historyOf(pageLines)())
    for (let number = 1_000; !isOverfull(held); number += 1) {
      expect(linesOf(held).length).toBeLessThanOrEqual(mostLines)
      held = withNew(held, line(number), false)
    }
    expect(linesOf(held)).toHaveLength(mostLines + 1)
  })

  test('says who wrote a line once that is known', () => {
    const told = { ...line(3), actor: undefined }
    const held = withNew(withNewest(historyOf(2)()), told, false)
    expect(lacksAuthors(held)).toBe(true)
    const after = completed(held, [line(3)])
    expect([lacksAuthors(after), numbers(after)]).toEqual([false, [3, 2, 1]])
  })

  test('is nothing before the first page is there', () => {
    expect(holdsNewest(nothingHeld)).toBe(false)
  })
})
