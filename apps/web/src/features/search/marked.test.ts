import { expect, test } from 'vitest'
import { markedParts } from './marked.ts'

const marked = (text: string, query: string) =>
  markedParts(text, query)
    .map((part) => (part.isFound ? `[${part.text}]` : part.text))
    .join('')

test.for([
  ['Rotate the Keys', 'key rotate', '[Rotate] the [Key]s'],
  ['A monkey', 'key', 'A monkey'],
  ['user_tokens', 'tokens', 'user_[tokens]'],
  ['keyring key', 'key keyring', '[keyring] [key]'],
  ['a.*b (c)', '.* (', 'a.*b (c)'],
  ['<b>bold</b>', 'b', '<[b]>[b]old</[b]>'],
  ['追加する: 暗いモード', '暗い', '追加する: [暗い]モード'],
  ['Schlüssel', 'SCHLÜ', '[Schlü]ssel'],
  ['anything', '', 'anything'],
] as const)('in %j the words %j are told apart', ([text, query, expected]) => {
  expect(marked(text, query)).toBe(expected)
})

test('nothing of a text is lost', () => {
  const text = 'one two  three\nfour'
  expect(
    markedParts(text, 'two four')
      .map((part) => part.text)
      .join(''),
  ).toBe(text)
})
