import { createApi } from '@svc/api/app'
import { createLog } from '@svc/process/log'
import { LimitsEnvironment, limiterOf } from '@svc/service/limits'
import { describe, expect } from 'vitest'
import {
  answerConsent,
  approvedCode,
  askFor,
  callMcp,
  exchange,
  registerClient,
  startFlow,
  test,
  tokenFor,
} from './place.ts'

const log = createLog({ name: 'test', level: 'silent' })
const incoming = { socket: { remoteAddress: '192.0.2.1' } }

describe('a credential is good at its own entry points alone:', () => {
  test(
    'a cookie opens neither the endpoint of cloud agents, nor a token that is not its own',
    { tags: 'large' },
    async ({ place }) => {
      const browser = await place.browserOf(place.world.alice)
      const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
      const listed = await place.postJson('/mcp', list, browser)
      expect(listed.status).toBe(401)
      const flow = await startFlow(place)
      const code = await approvedCode(place, flow)
      const answer = await place.postForm(
        '/oauth/token',
        { code, client_id: flow.clientId },
        browser,
      )
      expect(answer.status).toBe(400)
      expect((await exchange(place, flow, code)).status).toBe(200)
    },
  )

  test(
    'a token of an application opens the endpoint of cloud agents, in the header alone',
    { tags: 'large' },
    async ({ place }) => {
      const token = await tokenFor(place)
      const bearer = { authorization: `Bearer ${token}` }
      const { resource } = place
      expect((await callMcp(place, token)).status).toBe(200)
      expect((await fetch(`${resource}?access_token=${token}`)).status).toBe(401)
      for (const path of ['/api/me', '/api/projects', '/api/feed', '/api/user-tokens']) {
        expect((await place.get(path, bearer)).status).toBe(401)
      }
      const tool = await place.postJson('/api/tools/svc_resolve_project', {}, bearer)
      expect(tool.status).toBe(401)
      for (const path of ['/account', '/oauth/approve']) {
        expect((await place.get(path, bearer)).status).toBe(303)
      }
    },
  )

  test('a minted one opens what its audiences say', async ({ place }) => {
    const { alice } = place.world
    const ofApi = await alice.withToken({ preset: 'full', audiences: ['api'] })
    expect((await callMcp(place, alice.token)).status).toBe(200)
    expect((await callMcp(place, ofApi.token)).status).toBe(401)
  })
})

test('what a person lets in stands in the audit trail, and when it is ended', async ({ place }) => {
  const token = await tokenFor(place)
  await place.postForm('/oauth/revoke', { token })
  const { entries } = await place.world.alice.call('listAudit', { limit: 2 })
  expect(entries).toMatchObject([
    { action: 'token.revoked', actor: { name: 'alice' }, details: { label: 'Agent' } },
    {
      action: 'grant.approved',
      actor: { name: 'alice' },
      details: { label: 'Agent', preset: 'mission_lifecycle', host: '127.0.0.1:7777' },
    },
  ])
  expect(JSON.stringify(entries)).not.toContain(token)
})

test('an application that waits for its answer is in no list before it has a token', async ({
  place,
}) => {
  const { alice } = place.world
  const listed = async () =>
    (await alice.call('listConnectedApplications', { limit: 200 })).connectedApplications.length
  const before = await listed()
  const flow = await startFlow(place)
  const code = await approvedCode(place, flow)
  expect(await listed()).toBe(before)
  await exchange(place, flow, code)
  expect(await listed()).toBe(before + 1)
})

test('without the endpoint there is nothing of it', async ({ place }) => {
  const { domain } = place.world
  const api = createApi({
    domain,
    log,
    limiter: limiterOf(LimitsEnvironment.parse({})),
    baseUrl: () => place.baseUrl,
  })
  const paths = [
    '/.well-known/oauth-authorization-server',
    '/oauth/register',
    '/oauth/authorize',
    '/oauth/approve',
    '/oauth/token',
    '/oauth/revoke',
  ]
  for (const path of paths) {
    for (const method of ['GET', 'POST']) {
      const answer = await api.request(place.baseUrl + path, { method }, { incoming })
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } })
    }
  }
})

test('one network tries so many codes a minute, and no more', async ({ place }) => {
  const api = createApi({
    domain: place.world.domain,
    log,
    limiter: limiterOf(LimitsEnvironment.parse({ SVC_LIMIT_FAILED_AUTHENTICATIONS: '3' }), {
      nowMs: () => 0,
    }),
    baseUrl: () => place.baseUrl,
    oauth: { takesDocuments: false },
  })
  const { client_id } = await registerClient(place)
  const body = new URLSearchParams({ grant_type: 'authorization_code', client_id, code: 'x' })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answers = []
  for (let index = 0; index < 5; index += 1) {
    const init = { method: 'POST', body: body.toString(), headers }
    answers.push(await api.request(place.baseUrl + '/oauth/token', init, { incoming }))
  }
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 429, 429])
  expect(answers[4]?.headers.get('retry-after')).toBe('20')
  expect(await answers[4]?.json()).toMatchObject({ error: 'rate_limited', retry_after_seconds: 20 })
  const metadata = await api.request(
    place.baseUrl + '/.well-known/oauth-authorization-server',
    {},
    { incoming },
  )
  expect(await metadata.json()).not.toHaveProperty('client_id_metadata_document_supported')
})

test('of four answers to one request at once, the code of one is worth something', async ({
  place,
}) => {
  const flow = await startFlow(place)
  const handle = await askFor(place, flow)
  const led = await Promise.all([1, 2, 3, 4].map(() => answerConsent(place, handle)))
  const codes = led.map((one) => one.searchParams.get('code') ?? '')
  const answers = []
  for (const code of codes) answers.push((await exchange(place, flow, code)).status)
  expect(answers.filter((status) => status === 200)).toHaveLength(1)
})
