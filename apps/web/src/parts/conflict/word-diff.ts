import { diffWordsWithSpace } from 'diff'

/** A piece of the two texts: in both, in mine alone, or in theirs alone. */
export interface Piece {
  text: string
  of: 'both' | 'mine' | 'theirs'
}

/** Longer texts are not compared word by word: it would take the page longer than anybody waits. */
const mostWords = 20_000

export function compareWords(theirs: string, mine: string): Piece[] | undefined {
  const words = (theirs.length + mine.length) / 5
  if (words > mostWords) return undefined
  return diffWordsWithSpace(theirs, mine).map(({ value, added, removed }) => ({
    text: value,
    of: added ? 'mine' : removed ? 'theirs' : 'both',
  }))
}
