/**
 * Remembers which deliveries were handled. Back it with the consumer's own database where a
 * process may restart; one that keeps `in_progress` must let it lapse when a process dies.
 */
export interface SeenStore {
  /** Marks the id in progress if it is new; atomic. */
  begin(id: string): Begun | Promise<Begun>
  /** Handled: from now on `begin` answers `handled`. */
  finish(id: string): void | Promise<void>
  /** Not handled: the next attempt is new again. */
  abandon(id: string): void | Promise<void>
}

export type Begun = 'new' | 'in_progress' | 'handled'

/** Keeps the latest ids in memory, and forgets the oldest handled ones beyond `limit`. */
export function createMemoryStore(limit = 10_000): SeenStore {
  const inProgress = new Set<string>()
  const handled = new Set<string>()
  return {
    begin(id) {
      if (handled.has(id)) return 'handled'
      if (inProgress.has(id)) return 'in_progress'
      inProgress.add(id)
      return 'new'
    },
    finish(id) {
      inProgress.delete(id)
      handled.add(id)
      for (const oldest of handled) {
        if (handled.size <= limit) break
        handled.delete(oldest)
      }
    },
    abandon(id) {
      inProgress.delete(id)
    },
  }
}
