import { expect, test } from 'vitest'
import { undoneWords } from './undone.ts'

const one = (
  displayId: string,
  state: 'draft' | 'submitted' | 'complete',
  instruction = 'Do it.',
) => ({
  displayId,
  state,
  instruction,
})

test('what a closed mission leaves undone is named, without what says nothing', () => {
  expect(undoneWords([one('a', 'complete'), one('b', 'draft', ' ')])).toBeUndefined()
  expect(undoneWords([one('a', 'complete'), one('b', 'draft')])).toBe(
    '1 objective of it is not done: b.',
  )
  const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => one(id, 'submitted'))
  expect(undoneWords(many)).toBe('7 objectives of it are not done: a, b, c, d, e, and 2 more.')
})
