import { useCallback, useState } from 'react'

const prefix = 'svc:viewed:'

/** Which files of a delivery somebody has seen to; for as long as the tab is open, also after a reload. */
export function useViewed(deliveryId: string): [ReadonlySet<string>, (path: string) => void] {
  const [viewed, setViewed] = useState(() => read(deliveryId))
  const toggle = useCallback(
    (path: string) => {
      const next = read(deliveryId)
      if (!next.delete(path)) next.add(path)
      keep(deliveryId, next)
      setViewed(next)
    },
    [deliveryId],
  )
  return [viewed, toggle]
}

function read(deliveryId: string): Set<string> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(prefix + deliveryId) ?? '[]')
    return new Set(Array.isArray(kept) ? kept.filter((path) => typeof path === 'string') : [])
  } catch {
    return new Set()
  }
}

function keep(deliveryId: string, paths: ReadonlySet<string>): void {
  try {
    sessionStorage.setItem(prefix + deliveryId, JSON.stringify([...paths]))
  } catch {
    // a storage that is full or forbidden forgets with the page
  }
}
