/** The entries that were set last, no more than `most` of them: for what a caller chooses the keys of. */
export interface Recent<Value> {
  get: (key: string) => Value | undefined
  has: (key: string) => boolean
  set: (key: string, value: Value) => void
  delete: (key: string) => void
}

export function keepRecent<Value>(most: number): Recent<Value> {
  const entries = new Map<string, Value>()
  return {
    get: (key) => entries.get(key),
    has: (key) => entries.has(key),
    set(key, value) {
      // set anew, an entry is the youngest, and the map's first one the oldest
      entries.delete(key)
      entries.set(key, value)
      const [oldest] = entries.keys()
      if (entries.size > most && oldest !== undefined) entries.delete(oldest)
    },
    delete: (key) => void entries.delete(key),
  }
}
