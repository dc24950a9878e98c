import { describe, expect, test } from 'vitest'
import { isConflict, revisionToExpect } from './edited.ts'

const base = { revision: 7, text: 'Write the docs' }
const mine = { text: 'Write the docs well', base }

describe('what somebody writes while others do', () => {
  test('is in conflict with another text that came meanwhile', () => {
    expect(isConflict(mine, { revision: 8, text: 'Write no docs' })).toBe(true)
  })

  test.each([
    ['nobody has changed anything', { revision: 7, text: 'Write the docs' }],
    ['another part of the objective was changed', { revision: 9, text: 'Write the docs' }],
    ['somebody wrote the same', { revision: 8, text: 'Write the docs well' }],
    ['what is known here is older', { revision: 6, text: 'Write' }],
  ])('is in none where %s', (_why, current) => {
    expect(isConflict(mine, current)).toBe(false)
  })

  test('is in none before anything is written', () => {
    expect(isConflict({ text: base.text, base }, { revision: 8, text: 'Write no docs' })).toBe(
      false,
    )
  })

  test('goes on top of changes to other parts, and of no other text unseen', () => {
    expect(revisionToExpect(mine, { revision: 9, text: 'Write the docs' })).toBe(9)
    expect(revisionToExpect(mine, { revision: 9, text: 'Write no docs' })).toBe(7)
    expect(revisionToExpect(mine, { revision: 9, text: mine.text })).toBe(9)
  })
})
