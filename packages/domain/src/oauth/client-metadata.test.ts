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
    ['x'.repeat(100), 'x'.repeat(80)],
  ])('%j is shown as %j', (given, shown) => expect(legibleName(given)).toBe(shown))

  test('can hold no character that turns, hides or breaks what is around it', () => {
    const all = Array.from({ length: 0x1_1000 }, (_, code) => `a${String.fromCodePoint(code)}b`)
    const shown = all.map(legibleName)
    expect(shown.filter((name) => /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(name))).toEqual([])
    expect(shown.filter((name) => !name.isWellFormed() || name.length > 80)).toEqual([])
  })
})
