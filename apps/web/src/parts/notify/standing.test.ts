import { expect, test } from 'vitest'
import { standingOf } from './standing.ts'

test.each([
  [{ isSecureContext: true }, 'absent'],
  [{ isSecureContext: false, Notification: { permission: 'denied' } }, 'insecure'],
  [{ isSecureContext: true, Notification: { permission: 'denied' } }, 'denied'],
  [{ isSecureContext: true, Notification: { permission: 'default' } }, 'open'],
  [{ isSecureContext: true, Notification: { permission: 'granted' } }, 'granted'],
] as const)('of a browser such as %j it is %s', (browser, standing) => {
  expect(standingOf(browser)).toBe(standing)
})
