const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** An age in one unit, as it is said of something that happened. */
export function ago(at: number, now: number): string {
  const age = Math.max(0, now - at)
  if (age < minute) return 'just now'
  if (age < hour) return `${Math.floor(age / minute)} min ago`
  if (age < day) return `${Math.floor(age / hour)} h ago`
  if (age < 30 * day) return age < 2 * day ? 'yesterday' : `${Math.floor(age / day)} days ago`
  return new Date(at).toLocaleDateString(undefined, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
}
