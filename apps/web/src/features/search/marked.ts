const betweenWords = /[^\p{L}\p{N}]+/u
/** Scripts in which each character is found by itself. */
const characters = /^[\u3040-\u30ff\u3400-\u9fff]/

export interface Part {
  text: string
  isFound: boolean
}

/** A text in parts, those that a word of the search begins with told apart. */
export function markedParts(text: string, query: string): Part[] {
  const words = query.normalize('NFKC').toLowerCase().split(betweenWords).filter(Boolean)
  if (words.length === 0) return [{ text, isFound: false }]
  // letters and digits alone: none of them is a sign of an expression
  const starts = words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => (characters.test(word) ? word : `(?<![\\p{L}\\p{N}])${word}`))
  return text
    .split(new RegExp(`(${starts.join('|')})`, 'giu'))
    .map((part, at) => ({ text: part, isFound: at % 2 === 1 }))
    .filter((part) => part.text !== '')
}
