import { limits } from './contracts.values.ts'

/** The service takes so many words: whatever is written beyond them is not asked for. */
export function searchedWords(text: string): string {
  const words = text.trim().split(/\s+/).slice(0, limits.searchWords).join(' ')
  return words.slice(0, limits.searchCharacters)
}
