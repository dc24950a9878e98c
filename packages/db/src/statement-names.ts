/** Bounds what every connection may come to hold on the server. */
const mostNames = 500
const mostCandidates = 2_000
/** Characters. Longer ones are lists of many rows, whose text is another for each number of them; an attach reads by 6,500. */
const longest = 12_000

export interface StatementNames {
  of: (text: string) => string | undefined
  /** From now on every text has another name than before. */
  renew: () => void
}

/**
 * Names for the texts that recur, so that the server parses and plans them once a connection. A text is named when it
 * comes for the second time; the same text has the same name on every connection of the process.
 */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string>()
  const seenOnce = new Set<string>()
  let given = 0
  return {
    of(text) {
      const known = names.get(text)
      if (known !== undefined || names.size >= mostNames || text.length > longest) return known
      if (seenOnce.delete(text)) {
        given += 1
        const name = `svc_${given}`
        names.set(text, name)
        return name
      }
      if (seenOnce.size >= mostCandidates) seenOnce.clear()
      seenOnce.add(text)
      return undefined
    },
    renew: () => names.clear(),
  }
}

/** A migration has changed the columns that a prepared statement gives: under its name it fails for good. */
export function isStalePlan(error: unknown): boolean {
  // the code alone says only that something is not supported
  return (
    error instanceof Error &&
    'routine' in error &&
    error.routine === 'RevalidateCachedQuery' &&
    'code' in error &&
    error.code === '0A000'
  )
}
