import { expect, test } from 'vitest'
import { rightsInWords, stateOfToken } from './access.ts'

const now = Date.parse('2027-01-10T12:00:00Z')
const ends = (expiresAt: string, revokedAt: string | null = null) =>
  stateOfToken({ expiresAt, revokedAt }, now)

test('a token is good until it ends, says so a week before, and is over once it is revoked', () => {
  expect(ends('2027-01-17T12:00:01Z')).toBe('good')
  expect(ends('2027-01-17T12:00:00Z')).toBe('ending')
  expect(ends('2027-01-10T12:00:00Z')).toBe('ended')
  expect(ends('2027-06-01T12:00:00Z', '2027-01-01T12:00:00Z')).toBe('revoked')
})

test('of the rights of a token those are said that the role of its person gives, too', () => {
  const asked = ['mission:read', 'execution_request:claim', 'webhook:read'] as const
  expect(rightsInWords(asked, 'admin')).toHaveLength(3)
  expect(rightsInWords(asked, 'member')).toHaveLength(2)
  expect(rightsInWords(asked, 'viewer')).toEqual([
    'read projects, missions, their history and what agents delivered',
  ])
})
