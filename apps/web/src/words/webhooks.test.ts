import { expect, test } from 'vitest'
import { wordsOfWebhook } from './webhooks.ts'

test.for([
  [0, 'good', 'on'],
  [9, 'waits', '9 failed in a row'],
  [10, 'bad', '10 failed in a row'],
] as const)('a webhook of which %i deliveries failed looks %s', ([failures, tone, word]) => {
  const told = { disabledAt: null, disabledReason: null, consecutiveFailures: failures }
  expect(wordsOfWebhook(told)).toMatchObject({ tone, word })
})
