const hour = 60 * 60_000
const day = 24 * hour

/** When something that waits for a moment is tried again: its time may be over, and nothing told of it yet. */
export function againIn(at: number, now: number): string {
  return at <= now ? 'now' : `in ${until(at, now)}`
}

/** How long something that ends by itself can be used. */
export function goodFor(at: number, now: number): string {
  return at <= now ? 'good no longer' : `good for another ${until(at, now)}`
}

/** How long something stands yet, in one unit. */
export function until(at: number, now: number): string {
  const left = at - now
  if (left <= 0) return 'no longer'
  if (left < hour) return `${Math.ceil(left / 60_000)} min`
  if (left < 2 * day) return `${Math.ceil(left / hour)} h`
  return `${Math.ceil(left / day)} days`
}
