const dayMs = 86_400_000
const weekMs = 7 * dayMs

/** A day of the first of so many weeks, the one of now among them. Weeks begin on Mondays, in UTC. */
export function firstDay(weeks: number, now: number): string {
  return dayOf(mondayOf(now) - (weeks - 1) * weekMs)
}

/** The Mondays from that one on to the one of now, or to the last that is known, whichever is later. */
export function mondaysFrom(first: string, last: string | undefined, now: number): string[] {
  const [from, end] = [Date.parse(first), Math.max(mondayOf(now), last ? Date.parse(last) : 0)]
  const count = Math.max(0, Math.floor((end - from) / weekMs) + 1)
  return Array.from({ length: count }, (_, index) => dayOf(from + index * weekMs))
}

/** As people read it; a day without a time is the same day everywhere. */
export function dayWords(day: string): string {
  return new Date(day).toLocaleDateString(undefined, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
}

function mondayOf(moment: number): number {
  // the first day of all was a Thursday
  const sinceMonday = (Math.floor(moment / dayMs) + 3) % 7
  return (Math.floor(moment / dayMs) - sinceMonday) * dayMs
}

function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10)
}
