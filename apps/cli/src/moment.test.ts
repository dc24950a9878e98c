import { expect, test } from 'vitest'
import { momentOf } from './moment.ts'

const now = Date.parse('2027-01-31T12:00:00Z')

test('a moment is a day, a time, or so long ago', () => {
  expect(momentOf('2027-01-02', now)).toBe('2027-01-02T00:00:00.000Z')
  expect(momentOf('2027-01-02T10:00:00+02:00', now)).toBe('2027-01-02T08:00:00.000Z')
  expect(momentOf('30m', now)).toBe('2027-01-31T11:30:00.000Z')
  expect(momentOf('2h', now)).toBe('2027-01-31T10:00:00.000Z')
  expect(momentOf('3d', now)).toBe('2027-01-28T12:00:00.000Z')
  expect(momentOf('2w', now)).toBe('2027-01-17T12:00:00.000Z')
})

test('what is no moment is refused with what one looks like', () => {
  for (const text of ['', 'yesterday', '2x', '-3d', '2027-13-01']) {
    expect(() => momentOf(text, now)).toThrow('Write a day as in 2027-01-31')
  }
})
