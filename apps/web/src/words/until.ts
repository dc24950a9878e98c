const hour = 60 * 60_000
const day = 24 * hour

/** How long something stands yet, in one unit. */
export function until(at: number, now: number): string {
  const left = at - now
  if (left <= 0) return 'no longer'
  if (left < hour) return `${Math.ceil(left / 60_000)} min`
  if (left < 2 * day) return `${Math.ceil(left / hour)} h`
  return `${Math.ceil(left / day)} days`
}
