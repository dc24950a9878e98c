import { expect, test } from 'vitest'
import { cardOf } from '../../testing/board.ts'
import { allCards, holdCards } from './hold.ts'

const cards = (...numbers: number[]) => numbers.map((number) => cardOf(number))
const said = ({ cards: shown, waiting }: ReturnType<typeof holdCards>) => [
  ...shown.map(({ card, isGone }) => `${card.displayId}${isGone ? ' gone' : ''}`),
  waiting,
]

test('what comes waits, and what goes leaves its shade, so that nothing moves', () => {
  const held = holdCards(cards(9, 5, 3), cards(12, 9, 7, 3))
  expect(said(held)).toEqual(['web:9', 'web:5 gone', 'web:3', 2])
})

test('older missions come below, and do not wait', () => {
  expect(said(holdCards(cards(9, 5), cards(9, 5, 3, 1)))).toEqual([
    'web:9',
    'web:5',
    'web:3',
    'web:1',
    0,
  ])
})

test('what is said on a card is that of now', () => {
  const [now] = holdCards(cards(9), [cardOf(9, { title: 'New' })]).cards
  expect(now?.card.title).toBe('New')
  expect(said(allCards(cards(9, 5)))).toEqual(['web:9', 'web:5', 0])
})
