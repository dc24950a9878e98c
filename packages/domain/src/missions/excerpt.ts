const before = 60
const after = 120
/** Scripts in which each character is found by itself. */
const characters = /^[\u3040-\u30ff\u3400-\u9fff]/
const betweenWords = /[^\p{L}\p{N}]+/u

/**
 * What stands around the first word of a search in a text, on one line; undefined where none does. Words that are shown
 * elsewhere count only where no other one is left.
 */
export function excerptOf(text: string, query: string, elsewhere = ''): string | undefined {
  const asked = wordsIn(query)
  const known = wordsIn(elsewhere)
  const missing = asked.filter((word) => !known.some((one) => one.startsWith(word)))
  const at = findFirst(text, missing) ?? findFirst(text, asked)
  return at === undefined ? undefined : cutAround(text, at)
}

function wordsIn(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().split(betweenWords).filter(Boolean)
}

function findFirst(text: string, words: readonly string[]): number | undefined {
  if (words.length === 0) return undefined
  // letters and digits alone: none of them is a sign of an expression
  const starts = words.map((word) => (characters.test(word) ? word : `(?<![\\p{L}\\p{N}])${word}`))
  const at = text.search(new RegExp(starts.join('|'), 'iu'))
  return at === -1 ? undefined : at
}

function cutAround(text: string, at: number): string {
  const head = text.slice(Math.max(0, at - before), at)
  const tail = text.slice(at, at + after)
  const isWholeHead = at <= before
  const isWholeTail = at + after >= text.length
  const cutHead = isWholeHead ? head : `… ${head.replace(/^\S*\s/, '')}`
  const cutTail = isWholeTail ? tail : `${tail.replace(/\s\S*$/, '')} …`
  return (cutHead + cutTail).replace(/\s+/g, ' ').trim().toWellFormed()
}
