/** Splits a command prefix into words as a shell would: blanks, quotes, backslash. No expansion of any kind. */
export function splitWords(text: string): string[] {
  const words: string[] = []
  const pattern = /\s+|((?:[^\s'"\\]|\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*")+)|([^])/g
  for (const [, word, stray] of text.matchAll(pattern)) {
    if (stray !== undefined) throw new Error(`a quote is not closed in: ${text}`)
    if (word !== undefined) words.push(unquote(word))
  }
  return words
}

function unquote(word: string): string {
  return word.replaceAll(
    /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])/g,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replaceAll(/\\([\\"$`])/g, '$1') ?? escaped ?? '',
  )
}

/** A text as one word of a command line. */
export function shellWord(text: string): string {
  return /^[\w.,:=/@+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
