import { serve } from '@svc/http/serve'
import type { Domain } from '@svc/domain/domain'
import { describe, expect } from 'vitest'
import { createGateway } from './app.ts'
import { type Gateway, gatewayAt, limiterWith, quiet, test } from './testing/gateway.ts'

const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const callOf = (name: string) => ({
  ...listTools,
  method: 'tools/call',
  params: { name, arguments: {} },
})
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** A gateway whose limits are these and whose clock stands still: what was used up stays so. */
async function open(domain: Domain, limits: NodeJS.ProcessEnv): Promise<Gateway & AsyncDisposable> {
  let url = ''
  const limiter = limiterWith(limits, () => 0)
  const app = createGateway({ domain, log: quiet, limiter, baseUrl: () => url, isEnabled: true })
  const serving = await serve({ app, host: '127.0.0.1', port: 0, drainSeconds: 0, log: quiet })
  url = serving.url
  return { ...gatewayAt(url), [Symbol.asyncDispose]: () => serving[Symbol.asyncDispose]() }
}

test('calls that come too often are told how long to wait, in words that a model reads', async ({
  world,
}) => {
  await using gateway = await open(world.domain, { SVC_LIMIT_READS: '2' })
  const call = callOf('svc_resolve_project')
  for (let sent = 0; sent < 2; sent += 1) await gateway.post(world.alice.token, call)
  const limited = await gateway.post(world.alice.token, call)
  expect(limited.status).toBe(200)
  expect(await limited.json()).toMatchObject({
    result: {
      isError: true,
      content: [{ text: 'rate_limited: Too many calls: wait 30 s, then try again.' }],
      _meta: { 'svc/error': { code: 'rate_limited', retryable: true, retryAfterSeconds: 30 } },
    },
  })
  const other = await gateway.post(world.alice.token, listTools)
  expect(other.status).toBe(429)
  expect(other.headers.get('retry-after')).toBe('30')
  expect(other.headers.get('ratelimit')).toBe('"default";r=0;t=30')
  expect(await other.json()).toEqual({ error: 'rate_limited', retry_after_seconds: 30 })
})

describe('every request of a caller is counted', () => {
  const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) })
  const requests: [string, RequestInit][] = [
    ['a look at the server', { method: 'GET' }],
    ['a method that is not there', { method: 'DELETE' }],
    ['a list of the tools', post(listTools)],
    ['what is no JSON', { method: 'POST', body: '{' }],
    ['a tool that is not there', post(callOf('svc_dance'))],
    ['a tool call without a tool', post({ ...callOf(''), params: {} })],
    ['a tool call together with something else', post([callOf('svc_dance'), listTools])],
    ['an empty batch', post([])],
    [
      'more tool calls than a batch holds',
      post(Array.from({ length: 21 }, () => callOf('svc_dance'))),
    ],
  ]
  test.for(requests)('%s', async ([, request], { world }) => {
    await using gateway = await open(world.domain, { SVC_LIMIT_READS: '2' })
    const { token } = world.alice
    const headers = { ...bearer(token), 'content-type': 'application/json' }
    for (let sent = 0; sent < 2; sent += 1) await gateway.send({ ...request, headers })
    expect((await gateway.post(token, listTools)).status).toBe(429)
    const again = await gateway.send({ ...request, headers })
    expect(again.status === 429 || (await again.text()).includes('rate_limited')).toBe(true)
  })
})

test('bad tokens that come too often are refused, and whoever only asks where to get one is told', async ({
  world,
}) => {
  await using gateway = await open(world.domain, { SVC_LIMIT_FAILED_AUTHENTICATIONS: '1' })
  const withoutToken = async () => (await gateway.send()).status
  expect([await withoutToken(), await withoutToken()]).toEqual([401, 401])
  expect((await gateway.post(world.alice.token, listTools)).status).toBe(200)
  expect((await gateway.post('wrong', listTools)).status).toBe(401)
  const refused = await gateway.post('wrong', listTools)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(await withoutToken()).toBe(401)
  expect((await gateway.post(world.alice.token, listTools)).status).toBe(200)
  expect((await gateway.post(world.bob.token, listTools)).status).toBe(429)
})

test('the token of a run is taken however many bad ones came, and counted by itself once its run is over', async ({
  world,
}) => {
  await using gateway = await open(world.domain, { SVC_LIMIT_FAILED_AUTHENTICATIONS: '2' })
  const { mission, project } = await world.missionWith(['one', 'two'])
  const runner = await world.connectedRunner(project)
  const take = async (index: 0 | 1) => {
    await world.alice.launch(mission.objectives[index])
    const lease = await runner.take({ mintAgentToken: true })
    return { lease, token: lease.agentToken ?? '' }
  }
  const statusOf = async (token: string) => (await gateway.post(token, listTools)).status
  const one = await take(0)
  expect([await statusOf('wrong'), await statusOf('wrong'), await statusOf('wrong')]).toEqual([
    401, 401, 429,
  ])
  expect(await statusOf(one.token)).toBe(200)
  await runner.exited(one.lease)
  const after = []
  for (let sent = 0; sent < 3; sent += 1) after.push(await statusOf(one.token))
  expect(after).toEqual([401, 401, 429])
  expect(await statusOf((await take(1)).token)).toBe(200)
})

test('the calls of a workspace are counted together, and not with those of another one', async ({
  world,
}) => {
  await using gateway = await open(world.domain, { SVC_LIMIT_WORKSPACE_CALLS: '2' })
  const statusOf = async ({ token }: { token: string }) =>
    (await gateway.post(token, listTools)).status
  const { alice, bob, vera, carla } = world
  expect([await statusOf(alice), await statusOf(bob), await statusOf(vera)]).toEqual([
    200, 200, 429,
  ])
  expect(await statusOf(carla)).toBe(200)
})
