import { useCallback } from 'react'
import { useLocation, useSearch } from 'wouter'

export interface Place {
  /** The objective whose delivery is open. */
  objective: string | undefined
  file: string | undefined
  /** What a link to this page wants done. */
  wanted: string | undefined
  /** `replace`: the button of the browser that leads back passes it over. */
  go: (to: { objective?: string | undefined; file?: string | undefined }, replace?: boolean) => void
}

/** Where in the review one is, as the address says it: it can be sent to others. */
export function usePlace(): Place {
  const search = new URLSearchParams(useSearch())
  const [path, setLocation] = useLocation()
  const go = useCallback<Place['go']>(
    ({ objective, file }, replace = false) => {
      const query = new URLSearchParams({
        ...(objective !== undefined && { o: objective }),
        ...(file !== undefined && { f: file }),
      }).toString()
      setLocation(query === '' ? path : `${path}?${query}`, { replace })
    },
    [path, setLocation],
  )
  return {
    objective: search.get('o') ?? undefined,
    file: search.get('f') ?? undefined,
    wanted: search.get('do') ?? undefined,
    go,
  }
}
