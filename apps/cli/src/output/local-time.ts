const ofService = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/**
 * A time as the service writes it, on the clock of this machine and with its zone, as in `2026-11-01 10:30:00 +01:00`:
 * whoever copies it gives the same moment. Any other text stays as it is.
 */
export function localTime(text: string): string {
  if (!ofService.test(text)) return text
  const minutes = -new Date(text).getTimezoneOffset()
  const local = new Date(Date.parse(text) + minutes * 60_000).toISOString()
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${offset(minutes)}`
}

/** The same of every time that stands in a sentence. */
export function withLocalTimes(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, localTime)
}

/** The same without the day, for what happens now. */
export function localClock(text: string): string {
  return localTime(text).slice('2026-11-01 '.length)
}

function offset(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`
}

function twoDigits(count: number): string {
  return String(count).padStart(2, '0')
}
