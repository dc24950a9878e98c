import { useSyncExternalStore } from 'react'
import { type Standing, standingOf } from './standing.ts'

/** As it stands now, also after somebody has changed it in the settings of the browser. */
export function useStanding(): Standing {
  return useSyncExternalStore(subscribe, () => standingOf(window))
}

function subscribe(hear: () => void): () => void {
  const listening = new AbortController()
  const { signal } = listening
  window.addEventListener('focus', hear, { signal })
  // not every browser answers this
  void navigator.permissions
    ?.query({ name: 'notifications' })
    .then((permission) => permission.addEventListener('change', hear, { signal }))
    .catch(() => undefined)
  return () => listening.abort()
}
