/** For a version that the page was loaded anew for, and is not of, it is loaded again after that at the earliest. */
const pauseMs = 60 * 60 * 1000

interface Told {
  /** Of the page. */
  ours: string
  /** Of the service. */
  served: string
  /** What was remembered of the times that the page was loaded anew. */
  kept: string | null
  now: number
}

/**
 * What to remember before the page is loaded anew; undefined where it is not to be. While a service is replaced process by
 * process, the page may come from one of before again: it is loaded anew once an hour for each version at most.
 */
export function loadAnewFor({ ours, served, kept, now }: Told): string | undefined {
  if (served === ours) return undefined
  const recent = Object.entries(read(kept)).filter(([, at]) => now - at < pauseMs && at <= now)
  if (recent.some(([version]) => version === served)) return undefined
  return JSON.stringify({ ...Object.fromEntries(recent), [served]: now })
}

function read(kept: string | null): Record<string, number> {
  try {
    const found: unknown = JSON.parse(kept ?? '{}')
    if (typeof found !== 'object' || found === null) return {}
    return Object.fromEntries(
      Object.entries(found).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
    )
  } catch {
    return {}
  }
}
