/** A value that others hear of when it changes; React reads it by `useSyncExternalStore`. */
export interface Store<T> {
  get: () => T
  set: (next: T) => void
  subscribe: (hear: () => void) => () => void
}

export function createStore<T>(first: T): Store<T> {
  let value = first
  const hearing = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(value, next)) return
      value = next
      for (const hear of hearing) hear()
    },
    subscribe: (hear) => {
      hearing.add(hear)
      return () => hearing.delete(hear)
    },
  }
}
