import type { Need } from '@svc/contracts/need'
import { describe, expect, test } from 'vitest'
import {
  type Held,
  drop,
  keyOf,
  neighbourOf,
  nothingHeld,
  showWaiting,
  takeListed,
} from './held.ts'

type Kind = 'question' | 'review' | 'stopped_run'

/** As far as the list looks at it. */
function need(kind: Kind, id: string, since = '2026-01-01T00:00:00Z'): Need {
  return { kind, id, since } as Need
}

const [asks, review, stopped] = [
  need('question', '2'),
  need('review', '1'),
  need('stopped_run', '1'),
]
const later = need('question', '3')

function listed(needs: readonly Need[], hasMore = false) {
  return { needs, hasMore }
}

/** Ids of the rows with their kinds; what is settled in brackets. */
function shown({ rows }: Held): string[] {
  return rows.map(({ need: { kind, id }, isSettled }) =>
    isSettled ? `(${kind} ${id})` : `${kind} ${id}`,
  )
}

const begun = takeListed(nothingHeld, listed([asks, review, stopped]), false)

describe('what waits for people', () => {
  test('is shown in the order of the list, and new ones where they belong', () => {
    expect(shown(begun)).toEqual(['question 2', 'review 1', 'stopped_run 1'])
    const more = takeListed(begun, listed([asks, later, review, stopped]), false)
    expect(shown(more)).toEqual(['question 2', 'question 3', 'review 1', 'stopped_run 1'])
  })

  test('is not moved while it is looked at: what would go before a row waits', () => {
    const last = need('stopped_run', '9')
    const more = takeListed(begun, listed([asks, later, review, stopped, last]), true)
    expect(shown(more)).toEqual(['question 2', 'review 1', 'stopped_run 1', 'stopped_run 9'])
    expect(more.waiting).toEqual([later])
    expect(shown(showWaiting(more))[1]).toBe('question 3')
    expect(showWaiting(more).waiting).toEqual([])
    expect(takeListed(more, listed([asks, review, stopped, last]), true).waiting).toEqual([])
  })

  test('is all shown at once where nothing was', () => {
    expect(takeListed(nothingHeld, listed([asks, review]), true).waiting).toEqual([])
  })
})

describe('what is settled', () => {
  test('by somebody else says so until its row goes', () => {
    const after = takeListed(begun, listed([asks, stopped]), false)
    expect(shown(after)).toEqual(['question 2', '(review 1)', 'stopped_run 1'])
    const again = takeListed(after, listed([asks, stopped]), false)
    expect(shown(again)).toEqual(shown(after))
    const gone = drop(again, keyOf(review))
    expect(shown(gone)).toEqual(['question 2', 'stopped_run 1'])
    expect(gone.own.size).toBe(0)
  })

  test('here goes at once, and is not shown by a list that has not heard of it', () => {
    const gone = drop(begun, keyOf(asks))
    expect(shown(gone)).toEqual(['review 1', 'stopped_run 1'])
    const late = takeListed(gone, listed([asks, review, stopped]), false)
    expect(shown(late)).toEqual(shown(gone))
    const heard = takeListed(late, listed([review, stopped]), false)
    expect(heard.own.size).toBe(0)
  })

  test('and comes again is another row', () => {
    const gone = drop(begun, keyOf(stopped))
    const again = need('stopped_run', '1', '2026-01-02T00:00:00Z')
    expect(shown(takeListed(gone, listed([asks, review, again]), false))).toContain('stopped_run 1')
  })

  test('is not what only lies after the pages that were read', () => {
    const moved = takeListed(begun, listed([asks, later, review], true), false)
    expect(shown(moved)).toEqual(['question 2', 'question 3', 'review 1'])
  })
})

test('the focus goes on to the next row, and from the last one to the one before', () => {
  expect(neighbourOf(begun, keyOf(asks))).toBe(keyOf(review))
  expect(neighbourOf(begun, keyOf(stopped))).toBe(keyOf(review))
  expect(neighbourOf({ rows: [] }, keyOf(asks))).toBeUndefined()
})
