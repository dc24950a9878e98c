import { expect, test } from 'vitest'
import { limits } from './contracts.values.ts'
import { searchedWords } from './searched-words.ts'

test('what is searched for is asked for as far as the service takes it', () => {
  expect(searchedWords('  dark \n mode ')).toBe('dark mode')
  expect(searchedWords(' ')).toBe('')
  expect(searchedWords('w '.repeat(limits.searchWords + 5)).split(' ')).toHaveLength(
    limits.searchWords,
  )
  const long = searchedWords('w'.repeat(limits.searchCharacters + 5))
  expect(long).toHaveLength(limits.searchCharacters)
})
