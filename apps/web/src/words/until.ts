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

/**
 * How long something stands yet, in the unit that is nearest: the clocks of service and browser differ by seconds, and what
 * is good for three days is not to be said to be so for four.
 */
export function until(at: number, now: number): string {
  const left = at - now
  if (left <= 0) return 'no longer'
  if (left < 2 * hour) return `${Math.max(1, Math.round(left / 60_000))} min`
  if (left < 2 * day) return `${Math.round(left / hour)} h`
  return `${Math.round(left / day)} days`
}
