import { expect, test } from 'vitest'
import { boardOf, uuid } from '../../testing/board.ts'
import { neighbour, statusBeside } from './walk.ts'

const board = boardOf({ draft: [9, 8, 7], execute: [], review: [6, 5], complete: [] })

test.each([
  ['ArrowDown', 9, 8],
  ['ArrowDown', 7, undefined],
  ['ArrowUp', 8, 9],
  ['ArrowUp', 9, undefined],
  ['ArrowRight', 9, 6],
  ['ArrowRight', 7, 5],
  ['ArrowRight', 6, undefined],
  ['ArrowLeft', 5, 8],
  ['ArrowLeft', 9, undefined],
] as const)('%s leads from %s to %s', (arrow, from, to) => {
  expect(neighbour(board, uuid(from), arrow)).toBe(to && uuid(to))
})

test('the columns beside that of a card are those of the board, also where they are empty', () => {
  expect(statusBeside(board, uuid(9), 1)).toBe(uuid(8_001))
  expect(statusBeside(board, uuid(9), -1)).toBeUndefined()
  expect(statusBeside(board, uuid(6), 1)).toBe(uuid(8_003))
  expect(statusBeside(board, uuid(1), 1)).toBeUndefined()
})
