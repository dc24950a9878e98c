import { usageFailure } from './output/failure.ts'

/** A date or a time that an option was given, as the service takes it. */
export function timeOf(option: string, given: string): string {
  // a day begins where the person is, as the times of the listing do
  const time = new Date(/^\d{4}-\d\d-\d\d$/.test(given) ? `${given}T00:00` : given)
  if (!Number.isNaN(time.getTime())) return time.toISOString()
  throw usageFailure(`${option} takes a date or a time, as in 2026-11-01 or 2026-11-01T09:30:00Z.`)
}
