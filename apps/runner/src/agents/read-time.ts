/**
 * How tools write when a limit ends: seconds since 1970, a time of ISO 8601, a number of seconds from now, a duration as in
 * `2 days 3 hours`, or a clock as in `3am (Europe/Berlin)` and `Nov 27th, 2026 3:05 PM`, in the zone of this machine where
 * none is named.
 */
export const timeForms = ['epoch', 'iso', 'seconds', 'duration', 'clock'] as const
export type TimeForm = (typeof timeForms)[number]

const readers: Readonly<Record<TimeForm, (text: string, now: Date) => number>> = {
  epoch: (text) => Number(text) * (Number(text) > 1e11 ? 1 : 1000),
  iso: (text) => Date.parse(text),
  seconds: (text, now) => now.getTime() + Number(text) * 1000,
  duration: (text, now) => now.getTime() + readDuration(text) * 1000,
  clock: readClock,
}

/** Undefined where the text is no such time, or one that lies too far ahead to be written as others are. */
export function readTime(form: TimeForm, text: string, now: Date): Date | undefined {
  const time = new Date(readers[form](text.trim(), now))
  return time.getTime() <= latest ? time : undefined
}

/** A year of more digits has a form of its own, which no report takes. */
const latest = Date.UTC(9999, 11, 31)

const secondsOf: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 }

function readDuration(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*([dhms])/gi)]
  if (parts.length === 0) return NaN
  const seconds = parts.map(
    ([, count, unit = '']) => Number(count) * (secondsOf[unit.toLowerCase()] ?? NaN),
  )
  return seconds.reduce((sum, some) => sum + some)
}

const clock = /(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s*(am|pm)?\s*(?:\(([\w/+-]+)\))?\s*$/i
const day = /([a-z]{3})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?/i
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Without a day, the next time that the clock shows it. */
function readClock(text: string, now: Date): number {
  const found = clock.exec(text)
  if (!found) return NaN
  const [, hourText, minuteText = '0', half = '', zone] = found
  const hour = hourOf(Number(hourText), half.toLowerCase())
  const minute = Number(minuteText)
  const dated = day.exec(text.slice(0, found.index))
  if (hour > 23 || minute > 59 || !isZone(zone)) return NaN
  const today = wallClock(now.getTime(), zone)
  const month = dated ? months.indexOf((dated[1] ?? '').toLowerCase()) : today.month
  if (month < 0) return NaN
  const at = (year: number, date: number) => inZone(Date.UTC(year, month, date, hour, minute), zone)
  if (!dated) {
    const time = at(today.year, today.date)
    return time > now.getTime() ? time : at(today.year, today.date + 1)
  }
  const [, , date, year] = dated
  if (year !== undefined) return at(Number(year), Number(date))
  const time = at(today.year, Number(date))
  // a year is left out where it is this one, or the next when that is near
  return time > now.getTime() - 180 * 86_400_000 ? time : at(today.year + 1, Number(date))
}

function hourOf(hour: number, half: string): number {
  if (half === '') return hour
  return hour > 12 ? NaN : (hour % 12) + (half === 'pm' ? 12 : 0)
}

function isZone(zone: string | undefined): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** The moment at which the clocks of a zone show what those of UTC show at another one. */
function inZone(shown: number, zone: string | undefined): number {
  const guess = shown - offsetAt(shown, zone)
  // on the day of a change the offset at the guess is the right one
  return shown - offsetAt(guess, zone)
}

function offsetAt(moment: number, zone: string | undefined): number {
  const { year, month, date, hour, minute, second } = wallClock(moment, zone)
  return Date.UTC(year, month, date, hour, minute, second) - Math.floor(moment / 1000) * 1000
}

function wallClock(moment: number, zone: string | undefined) {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const parts = Object.fromEntries(format.formatToParts(moment).map((one) => [one.type, one.value]))
  const part = (name: Intl.DateTimeFormatPartTypes) => Number(parts[name])
  return {
    year: part('year'),
    month: part('month') - 1,
    date: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  }
}
