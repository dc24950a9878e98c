import { expect, test } from 'vitest'
import { describeDisabling, duesOfTry, wordsOfWebhook } from './webhooks.ts'

test.for([
  [0, 'good', 'on'],
  [9, 'waits', '9 failed in a row'],
  [10, 'bad', '10 failed in a row'],
] as const)('a webhook of which %i deliveries failed looks %s', ([failures, tone, word]) => {
  const told = { disabledAt: null, disabledReason: null, consecutiveFailures: failures }
  expect(wordsOfWebhook(told)).toMatchObject({ tone, word })
})

test('a delivery that waits is tried at its time, unless its webhook is disabled meanwhile', () => {
  const at = '2026-11-26T12:00:00.000Z'
  const before = Date.parse(at) - 60_000
  expect(duesOfTry({ at, disabledAt: null }, before)).toBeUndefined()
  expect(duesOfTry({ at, disabledAt: null }, Date.parse(at))).toBe('It is sent now.')
  expect(duesOfTry({ at, disabledAt: at }, before)).toContain('is disabled')
})

test('a webhook says beforehand when failures disable it', () => {
  expect(describeDisabling()).toContain('After 20 failed deliveries in a row it is disabled')
})
