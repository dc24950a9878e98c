import { expect, test } from 'vitest'
import { boardOf, cardOf, shownOf, uuid } from '../../testing/board.ts'
import { withMoved, withoutCard } from './board.ts'

const statusOf = (at: number) => uuid(8_000 + at)

test('a card that is moved stands by its age among those of its new column', () => {
  const board = boardOf({ draft: [9, 5, 1], execute: [8, 2] })
  const moved = withMoved(cardOf(5), statusOf(1))(board)
  expect(shownOf(moved)).toEqual(['draft 2: 9 1', 'execute 3: 8 5 2'])
  expect(withMoved(cardOf(5), statusOf(1))(moved)).toEqual(moved)
  expect(shownOf(withMoved(cardOf(5), statusOf(0))(moved))).toEqual(shownOf(board))
})

test('one that is older than what is known of its new column is counted there, and comes with its next page', () => {
  const board = boardOf({ draft: [3], execute: [8, 6] }, { nextCursor: uuid(6) })
  expect(shownOf(withMoved(cardOf(3), statusOf(1))(board))).toEqual(['draft 0: ', 'execute 3: 8 6'])
  expect(shownOf(withMoved(cardOf(8), statusOf(0))(board))).toEqual([
    'draft 2: 8 3',
    'execute 1: 6',
  ])
})

test('one that is deleted is counted no more, but where nobody has counted to the end', () => {
  const board = boardOf({ draft: [9, 5] })
  expect(shownOf(withoutCard(cardOf(5))(board))).toEqual(['draft 1: 9'])
  const many = boardOf({ draft: [9, 5] }, { countsMore: true, count: 10_000 })
  expect(shownOf(withoutCard(cardOf(5))(many))).toEqual(['draft 10000: 9'])
})
