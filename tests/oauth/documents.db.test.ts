import { type RequestListener, createServer } from 'node:http'
import { createApi } from '@svc/api/app'
import { createLog } from '@svc/process/log'
import { LimitsEnvironment, limiterOf } from '@svc/service/limits'
import type { Outbound } from '@svc/domain/outbound'
import { readDocument } from '@svc/domain/oauth/client-documents'
import { openOutbound } from '@svc/outbound/open-outbound'
import { createPolicy } from '@svc/outbound/policy'
import { send } from '@svc/outbound/send'
import { listen } from '@svc/testing/listen'
import { test as base } from '@svc/domain/testing/world'
import { describe, expect } from 'vitest'

const id = 'https://client.example/oauth/client.json'
const valid = {
  client_id: id,
  client_name: 'Described',
  redirect_uris: ['https://client.example/cb'],
}

const baseUrl = 'https://svc.example'
const request = new URLSearchParams({
  client_id: id,
  redirect_uri: 'https://client.example/cb',
  response_type: 'code',
  code_challenge: 'c'.repeat(43),
  code_challenge_method: 'S256',
})
const log = createLog({ name: 'test', level: 'silent' })
const limiter = limiterOf(LimitsEnvironment.parse({ SVC_LIMIT_FAILED_AUTHENTICATIONS: '0' }))

/** A host that says what a test wants. It is on this computer: what leads there is the one thing that is not as it is. */
const test = base.extend('host', { scope: 'file' }, async ({ world }, { onCleanup }) => {
  const opened = new AsyncDisposableStack()
  onCleanup(() => opened.disposeAsync())
  let answer: RequestListener = (_asked, response) => response.end()
  /** As long as the product, but for an answer that never ends: a busy machine may need more than a moment for the others. */
  let longestMs = Infinity
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    answer(request, response)
  })
  const { port } = opened.use(await listen(server))
  const policy = createPolicy({ allowedHosts: `127.0.0.1:${port}` })
  const outbound: Outbound = {
    ...openOutbound([]),
    read: ({ url, timeoutMs, mostBytes }) =>
      send({
        url: url.replace('https://client.example', `http://127.0.0.1:${port}`),
        headers: { accept: 'application/json' },
        timeoutMs: Math.min(timeoutMs, longestMs),
        answerBytes: mostBytes,
        policy,
      }),
  }
  const domain = opened.use(await world.openProcess({ outbound }))
  return {
    asked: () => asked,
    answers: (listener: RequestListener, givenUpAfterMs = Infinity) => {
      answer = listener
      longestMs = givenUpAfterMs
    },
    says: (body: unknown, headers: Record<string, string> = {}) => {
      answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', ...headers })
        response.end(typeof body === 'string' ? body : JSON.stringify(body))
      }
    },
    read: (address = id, from = '192.0.2.1') =>
      readDocument({ domain, from }, address, () => undefined),
    /** Where the browser is led that the client sends to us. */
    asks: async (takesDocuments: boolean, from = '192.0.2.1', ids = [id]) => {
      const api = createApi({
        domain,
        log,
        limiter,
        baseUrl: () => baseUrl,
        oauth: { takesDocuments },
      })
      const incoming = { socket: { remoteAddress: from } }
      const answers = ids.map(async (client_id) => {
        const asked = new URLSearchParams({ ...Object.fromEntries(request), client_id })
        const answer = await api.request(
          `${baseUrl}/oauth/authorize?${asked.toString()}`,
          {},
          { incoming },
        )
        return { status: answer.status, location: answer.headers.get('location') }
      })
      return Promise.all(answers)
    },
  }
})

describe('a client that is known by the address of its document', () => {
  test('is what the document says, read again when its time is over, and after a week at the latest', async ({
    host,
    world,
  }) => {
    host.says(valid, { 'cache-control': 'max-age=99999999' })
    expect(await host.read()).toMatchObject({
      id,
      name: 'Described',
      redirect_uris: ['https://client.example/cb'],
    })
    await world.advance(7 * 24 * 3_600 - 60)
    await host.read()
    expect(host.asked()).toBe(1)
    await world.advance(61)
    host.says({ ...valid, client_name: 'Renamed' })
    expect(await host.read()).toMatchObject({ name: 'Renamed' })
    host.says({ ...valid, client_name: 'At once' })
    expect(await host.read()).toMatchObject({ name: 'At once' })
    expect(host.asked()).toBe(3)
  })

  test('asks as one that has registered, unless documents are turned off', async ({ host }) => {
    host.says(valid)
    const approve = expect.stringMatching(/^\/oauth\/approve\?request=/)
    expect(await host.asks(true)).toEqual([{ status: 302, location: approve }])
    expect(await host.asks(false)).toEqual([{ status: 400, location: null }])
    host.says({ ...valid, redirect_uris: ['https://client.example/other'] })
    expect(await host.asks(true)).toEqual([{ status: 400, location: null }])
  })

  test('is read ten times a minute for a network, and an address that is none is not asked at all', async ({
    host,
  }) => {
    host.answers((_request, response) => response.writeHead(500).end())
    const asked = host.asked()
    const literals = Array.from({ length: 12 }, (_, n) => `https://192.0.2.${n + 1}/client.json`)
    const brackets = ['https://[2001:db8::1]/client.json']
    const refused = await host.asks(true, '198.51.100.1', [...literals, ...brackets])
    expect(refused.map(({ status }) => status)).toEqual(Array(13).fill(400))
    expect(host.asked()).toBe(asked)

    const ids = Array.from({ length: 12 }, (_, n) => `${id}?busy=${n}`)
    const statuses = (await host.asks(true, '198.51.100.1', [...literals, ...ids])).map(
      ({ status }) => status,
    )
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    expect(host.asked()).toBe(asked + 10)
  })

  test('is one of ten that a network may bring an hour, as long as it is new', async ({
    host,
    world,
  }) => {
    await world.advance(3_601)
    host.answers(({ url }, response) => {
      response.end(JSON.stringify({ ...valid, client_id: `https://client.example${url}` }))
    })
    const reads = Array.from({ length: 12 }, (_, n) => host.read(`${id}?${n}`))
    const outcomes = await Promise.allSettled(reads)
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(refused.map(({ code }) => code)).toEqual(['rate_limited', 'rate_limited'])
    await host.read()
    await host.read(`${id}?elsewhere`, '192.0.2.2')
    await expect(host.read(`${id}?here`)).rejects.toMatchObject({ code: 'rate_limited' })
    await world.advance(3_601)
    await host.read(`${id}?here`)
  })

  const wrong: [string, unknown, string][] = [
    ['is no JSON', 'x', 'no JSON object'],
    ['is a list', [], 'no JSON object'],
    ['has another client_id', { ...valid, client_id: `${id}?` }, 'another client_id'],
    ['has a secret', { ...valid, client_secret: 'x' }, 'a secret'],
    ['wants a secret', { ...valid, token_endpoint_auth_method: 'client_secret_post' }, 'a secret'],
    ['has no name', { ...valid, client_name: undefined }, 'no client_name'],
    [
      'has a hostile address',
      { ...valid, redirect_uris: ['javascript:alert(1)'] },
      'redirect_uris',
    ],
    ['is larger than 5 KB', { ...valid, more: 'x'.repeat(5_120) }, 'larger than'],
    ['is a megabyte', { ...valid, more: 'x'.repeat(1_000_000) }, 'larger than'],
  ]
  test.for(wrong)(
    'is not let in when it %s, and nothing of that is kept',
    async ([, said, why], { host }) => {
      host.says(said, { 'cache-control': 'max-age=600' })
      await expect(host.read()).rejects.toThrow(why)
      host.says(valid)
      expect(await host.read()).toMatchObject({ name: 'Described' })
    },
  )

  test(
    'is not let in when the host leads elsewhere, fails, or never ends',
    { tags: 'large' },
    async ({ host }) => {
      host.answers((_request, response) => {
        response.writeHead(302, { location: 'https://elsewhere.example/' }).end()
      })
      await expect(host.read()).rejects.toThrow('cannot be read')
      host.answers((_request, response) => response.writeHead(500).end())
      await expect(host.read()).rejects.toThrow('cannot be read')
      host.answers((_request, response) => void response.writeHead(200).write('{'), 3_000)
      await expect(host.read()).rejects.toThrow('larger than')
    },
  )
})

test.for([
  'https://127.0.0.1/client.json',
  'https://[::1]/client.json',
  'https://10.0.0.1/client.json',
  'https://169.254.169.254/latest',
  'https://localhost/client.json',
  'http://client.example/client.json',
])('nothing is fetched from %s, whatever webhooks may call', async (url) => {
  const outbound = openOutbound([
    '*@127.0.0.1',
    '*@[::1]',
    '*@10.0.0.1',
    '*@localhost',
    '*@client.example',
  ])
  const answer = await outbound.read({ url, timeoutMs: 1_000, mostBytes: 5_120 })
  expect(answer.outcome).toBe('blocked_address')
})
