import { describe, expect, test } from 'vitest'
import { legibleName } from './client-metadata.ts'

describe('what a client calls itself', () => {
  test.each([
    ['Claude Code', 'Claude Code'],
    ['  a \n\t b  ', 'a b'],
    ['Zo\u0065\u0301', 'Zoé'],
    ['evil\u202Eknab', 'evilknab'],
    ['\u2066bank\u2069', 'bank'],
    ['a\u200Bb\u0000c\uFEFFd', 'abcd'],
    ['half \uD83D', 'half \uFFFD'],
    ['', 'An application without a name'],
    ['\u202E\u2066', 'An application without a name'],
    ['\u2800\u3164\u115F\uFFA0', 'An application without a name'],
    [`A${'\u0335'.repeat(70)}gent`, `A${'\u0335'.repeat(3)}gent`],
    ['x'.repeat(100), 'x'.repeat(80)],
  ])('%j is shown as %j', (given, shown) => expect(legibleName(given)).toBe(shown))

  test('can hold no character that turns, hides or breaks what is around it', () => {
    const all = Array.from({ length: 0x1_1000 }, (_, code) => `a${String.fromCodePoint(code)}b`)
    const shown = all.map(legibleName)
    expect(shown.filter((name) => /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(name))).toEqual([])
    expect(shown.filter((name) => !name.isWellFormed() || name.length > 80)).toEqual([])
  })
})
