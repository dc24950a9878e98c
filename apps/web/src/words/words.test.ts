import { describe, expect, test } from 'vitest'
import * as access from './access.ts'
import { age } from './age.ts'
import { ago } from './ago.ts'
import { duration } from './duration.ts'
import * as reasons from './reasons.ts'
import { checkoutWords, resourceWords, runnerWords } from './runners.ts'
import * as states from './states.ts'
import { visible } from './visible.ts'
import * as webhooks from './webhooks.ts'

describe('a state or reason', () => {
  // what these export are such tables, and functions, which have no rows
  const tables = [
    states,
    reasons,
    webhooks,
    access,
    { runnerWords, checkoutWords, resourceWords },
  ].flatMap((module): [string, object][] => Object.entries(module))
  const rows = tables.flatMap(([table, words]) =>
    Object.entries<string | states.Wording>({ ...words }).map(([state, words]) => ({
      table,
      state,
      words,
    })),
  )

  test.each(rows)('$state of $table is said in a sentence', ({ words }) => {
    const sentence = typeof words === 'string' ? words : words.sentence
    expect(sentence).toMatch(/^[A-Z].*[^.]\.$/)
  })

  test('is told by a sign and a word, and never by its colour alone', () => {
    for (const { table, state, words } of rows) {
      if (typeof words === 'string') continue
      expect([table, state, words.sign]).toEqual([table, state, expect.stringMatching(/^.$/u)])
      expect(words.word).not.toBe('')
    }
  })
})

test.each([
  ['plain text\nof two lines\tand a tab', 'plain text\nof two lines\tand a tab'],
  ['abc\u202Edcba', 'abc⟨U+202E⟩dcba'],
  ['a\u0000b\u001B[31m', 'a␀b␛[31m'],
  ['zero\u200Bwidth\uFEFF', 'zero⟨U+200B⟩width⟨U+FEFF⟩'],
])('what would not be seen, or would turn what is around it, is a sign: %j', (text, seen) => {
  expect(visible(text)).toBe(seen)
})

test.each([
  [0, 'just now'],
  [-5_000, 'just now'],
  [61_000, '1 min ago'],
  [3 * 3_600_000, '3 h ago'],
  [25 * 3_600_000, 'yesterday'],
  [9 * 86_400_000, '9 days ago'],
])('an age of %d ms is said in one unit', (age, said) => {
  expect(ago(1_800_000_000_000 - age, 1_800_000_000_000)).toBe(said)
})

test.each([
  [0.25, '0.3 s'],
  [9.94, '9.9 s'],
  [59.4, '59 s'],
  [120, '2 min'],
  [130.2, '2 min 10 s'],
  [3_600, '1 h'],
  [5_000, '1 h 23 min'],
])('a duration of %d s is said in the units that matter', (seconds, said) => {
  expect(duration(seconds)).toBe(said)
})

test.each([
  [-5_000, '0 min'],
  [239_000, '3 min'],
  [25 * 3_600_000, '25 h'],
  [9 * 86_400_000, '9 days'],
])('that something has lasted for %d ms is said in one unit', (lasted, said) => {
  expect(age(1_800_000_000_000 - lasted, 1_800_000_000_000)).toBe(said)
})
