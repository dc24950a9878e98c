/** What of the causes somebody was notified of, or has seen; bounded, since only those that are still there are remembered. */
export interface Known {
  keys: readonly string[]
  /** Those that are new. */
  fresh: readonly string[]
}

const most = 200

/**
 * After the list was read anew. Before the first list nothing is known, and nobody is notified of what was there before
 * they asked for it. Of a list that has more only what is on it is known to be there, and nothing to be gone.
 */
export function takeKeys(
  before: readonly string[] | undefined,
  now: readonly string[],
  hasMore: boolean,
): Known {
  const fresh = before === undefined ? [] : now.filter((key) => !before.includes(key))
  const keys = hasMore ? [...new Set([...(before ?? []), ...now])].slice(-most) : now
  return { keys, fresh }
}

export function readKeys(kept: string | null): readonly string[] | undefined {
  if (kept === null) return undefined
  try {
    const found: unknown = JSON.parse(kept)
    return Array.isArray(found) && found.every((key) => typeof key === 'string') ? found : undefined
  } catch {
    return undefined
  }
}
