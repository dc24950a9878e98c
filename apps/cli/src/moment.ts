import { InvalidArgumentError } from 'commander'

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }
const ago = /^(\d{1,4})(m|h|d|w)$/

/** A moment as the service takes it: `2027-01-31`, which begins in UTC, a time of ISO 8601, or so long ago, as in `2h` or `3d`. */
export function momentOf(text: string, now = Date.now()): string {
  const [, count, unit] = ago.exec(text) ?? []
  // the expression knows these units alone
  const since = unit && now - Number(count) * unitMs[unit as keyof typeof unitMs]
  const moment = since || Date.parse(text)
  if (!Number.isNaN(moment)) return new Date(moment).toISOString()
  throw new InvalidArgumentError(
    'Write a day as in 2027-01-31, or how long ago it was as in 2h or 3d.',
  )
}
