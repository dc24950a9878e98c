import { describe, expect, test } from 'vitest'
import { excerptOf } from './excerpt.ts'

describe('an excerpt', () => {
  test.for([
    ['the whole of a short text', 'Rotate the keys.', 'keys', '', 'Rotate the keys.'],
    ['on one line', 'Rotate\n\n\tthe keys.', 'rotate', '', 'Rotate the keys.'],
    ['of what a word begins with', 'The keyring', 'key', '', 'The keyring'],
    ['none where no word begins so', 'A monkey', 'key', '', undefined],
    ['of what is not in a title', 'The log of keys', 'log key', 'Log', 'The log of keys'],
    ['none of what is no word', 'a.*b', '.*', '', undefined],
    ['none without words', 'a', '', '', undefined],
    ['of other scripts', '追加する: 暗いモード', 'モード', '', '追加する: 暗いモード'],
    ['whatever the case', 'Der SCHLÜSSEL', 'schlüssel', '', 'Der SCHLÜSSEL'],
  ] as const)('is %s', ([, text, query, elsewhere, expected]) => {
    expect(excerptOf(text, query, elsewhere)).toBe(expected)
  })

  test('is cut between words, and says so', () => {
    const text = `${'before '.repeat(50)}needle ${'after '.repeat(50)}`
    const found = excerptOf(text, 'needle')
    expect(found).toMatch(/^… (before )+needle (after )+…$/)
    expect(found?.length).toBeLessThan(200)
  })

  test('never holds half a character', () => {
    for (let length = 0; length < 4; length += 1) {
      const text = `${'x'.repeat(length)}${'😀'.repeat(100)} needle ${'😀'.repeat(100)}`
      expect(excerptOf(text, 'needle')?.isWellFormed()).toBe(true)
    }
  })

  test('of what is missing in the titles comes before what stands there too', () => {
    const text = `Log first. ${'x '.repeat(200)} the needle`
    expect(excerptOf(text, 'log needle', 'Log')).toMatch(/the needle$/)
  })
})
