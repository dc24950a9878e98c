/** Bounds what every connection may come to hold on the server. */
const mostNames = 500
const mostCandidates = 2_000
/** Characters. Longer ones are lists of many rows, whose text is another for each number of them. */
const longest = 6_000

/**
 * Names for the texts that recur, so that the server parses and plans them once a connection. A text is named when it
 * comes for the second time; the same text has the same name on every connection of the process.
 */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  const seenOnce = new Set<string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size >= mostNames || text.length > longest) return known
    if (seenOnce.delete(text)) {
      const name = `svc_${names.size + 1}`
      names.set(text, name)
      return name
    }
    if (seenOnce.size >= mostCandidates) seenOnce.clear()
    seenOnce.add(text)
    return undefined
  }
}
