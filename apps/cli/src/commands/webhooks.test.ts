import { expect, test } from 'vitest'
import { calls, id, routes, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

test('an address is checked without a webhook, and a refusal is an answer', async () => {
  const endpointUrl = 'https://relay.internal/'
  const message = 'The host is a name of an internal network; use a public one.'
  const refusal = { code: 'validation_failed', message }
  const endpoint = { endpointUrl: null, isListed: false, refusal }
  routes['POST /api/webhooks/check-endpoint'] = () => ({ endpoint })
  const { code, stdout } = await svc('webhooks', 'check', endpointUrl)
  expect(code).toBe(0)
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
  ).toMatchObject([
    ['url', endpointUrl],
    ['taken', 'no'],
    ['why', message],
    ['on the list of the operator', 'no'],
  ])
  expect(calls.at(-1)).toMatchObject({ body: { endpointUrl } })
  expect(JSON.parse((await svc('webhooks', 'check', endpointUrl, '--json')).stdout)).toEqual({
    endpoint,
  })
})

test.for([
  [9, 'enabled, 9 failed in a row'],
  [10, 'enabled, 10 failed in a row; at 20 it is disabled'],
] as const)('after %i failed deliveries it says %s', async ([consecutiveFailures, state]) => {
  const webhook = {
    id: id('40'),
    name: 'Chat',
    endpointUrl: 'https://example.com/hook',
    eventTypes: ['mission.delivered'],
    projectId: null,
    payloadMode: 'thin',
    disabledAt: null,
    disabledReason: null,
    consecutiveFailures,
    revision: 1,
  }
  routes['GET /api/webhooks?limit=50'] = () => ({ webhooks: [webhook] })
  expect((await svc('webhooks', 'list')).stdout).toContain(state)
})
