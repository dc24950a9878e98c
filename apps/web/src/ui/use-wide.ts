import { useSyncExternalStore } from 'react'

const query = matchMedia('(min-width: 64rem)')

function subscribe(hear: () => void): () => void {
  query.addEventListener('change', hear)
  return () => query.removeEventListener('change', hear)
}

/** Whether two columns have room next to each other. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}
