import { afterEach, expect, test } from 'vitest'
import { localClock, localTime } from './local-time.ts'

const before = process.env['TZ']

afterEach(() => {
  if (before === undefined) delete process.env['TZ']
  else process.env['TZ'] = before
})

test.each([
  ['UTC', '2026-11-01 09:05:07 +00:00'],
  ['Europe/Berlin', '2026-11-01 10:05:07 +01:00'],
  ['Asia/Kathmandu', '2026-11-01 14:50:07 +05:45'],
  ['America/St_Johns', '2026-11-01 05:35:07 -03:30'],
  ['Pacific/Kiritimati', '2026-11-01 23:05:07 +14:00'],
])('a time in %s is %s', (zone, shown) => {
  process.env['TZ'] = zone
  expect(localTime('2026-11-01T09:05:07.890Z')).toBe(shown)
  expect(localClock('2026-11-01T09:05:07.890Z')).toBe(shown.slice(11))
})

test('a time has the offset of its own day, and stays the same moment', () => {
  process.env['TZ'] = 'America/New_York'
  expect(localTime('2026-07-01T12:00:00.000Z')).toBe('2026-07-01 08:00:00 -04:00')
  expect(localTime('2026-12-01T03:00:00.000Z')).toBe('2026-11-30 22:00:00 -05:00')
  expect(new Date(localTime('2026-12-01T03:00:00.000Z')).toJSON()).toBe('2026-12-01T03:00:00.000Z')
})

test.each(['2026-11-01', 'at 2026-11-01T09:05:07.890Z', '2026-11-01T09:05:07Z', 'web:12', ''])(
  'what no time of the service is stays as it is: %j',
  (text) => {
    process.env['TZ'] = 'Europe/Berlin'
    expect(localTime(text)).toBe(text)
  },
)
