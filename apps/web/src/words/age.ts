const hour = 60 * 60_000
const day = 24 * hour

/** How long something has lasted, in one unit. */
export function age(since: number, now: number): string {
  const lasted = Math.max(0, now - since)
  if (lasted < hour) return `${Math.floor(lasted / 60_000)} min`
  if (lasted < 2 * day) return `${Math.floor(lasted / hour)} h`
  return `${Math.floor(lasted / day)} days`
}
