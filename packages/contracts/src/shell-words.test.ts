import { expect, test } from 'vitest'
import { shellWord, splitWords } from './shell-words.ts'

test.each([
  ['', []],
  ['docker exec -it box', ['docker', 'exec', '-it', 'box']],
  [`env 'a b' "c \\" d" e\\ f`, ['env', 'a b', 'c " d', 'e f']],
  [`x'y'"z"`, ['xyz']],
  [`''`, ['']],
  ['$HOME *', ['$HOME', '*']],
])('%s is split like shell words', (text, words) => {
  expect(splitWords(text)).toEqual(words)
})

test.each(['web', '~/code', "it's", 'a $(b) `c`', '', '*\\'])(
  '%j is written as one word',
  (text) => {
    expect(splitWords(shellWord(text))).toEqual([text])
  },
)

test('a quote that is not closed is refused', () => {
  expect(() => splitWords(`a 'b`)).toThrow('not closed')
})
