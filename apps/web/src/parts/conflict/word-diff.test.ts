import { expect, test } from 'vitest'
import { compareWords } from './word-diff.ts'

test('two texts are compared word by word, and nothing of either is left out', () => {
  const [theirs, mine] = ['Say how the theme\nis chosen.', 'Say where the theme\nis kept.']
  const pieces = compareWords(theirs, mine) ?? []
  const of = (...kinds: string[]) =>
    pieces.flatMap((piece) => (kinds.includes(piece.of) ? [piece.text] : [])).join('')
  expect(of('both', 'theirs')).toBe(theirs)
  expect(of('both', 'mine')).toBe(mine)
  expect(pieces.filter((piece) => piece.of === 'mine').map(({ text }) => text)).toEqual([
    'where',
    'kept',
  ])
})

test('texts that would take too long are not compared', () => {
  expect(compareWords('a '.repeat(100_000), 'b')).toBeUndefined()
})
