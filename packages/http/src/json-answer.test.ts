import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { EndpointContract } from '@svc/contracts/rest/endpoint'
import { createLog } from '@svc/process/log'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { bindRoutes } from './bind-routes.ts'
import { createApp } from './create-app.ts'
import { createRateLimiter } from './rate-limit.ts'
import { serve } from './serve.ts'
import { unlimited } from './testing/unlimited.ts'

const words = z.strictObject({ words: z.coerce.number().int() })
const contracts = {
  read: {
    method: 'GET',
    path: '/api/words',
    permission: 'any',
    query: words,
    answer: z.unknown(),
    status: 200,
  },
  write: {
    method: 'POST',
    repeat: 'natural',
    path: '/api/words',
    permission: 'any',
    query: words,
    answer: z.unknown(),
    status: 200,
  },
} as const satisfies Record<string, EndpointContract>

const answerOf = (count: number) => ({ words: Array.from({ length: count }, () => 'word') })

async function open() {
  const log = createLog({ name: 'test', level: 'error', to: { write: () => undefined } })
  const app = createApp(log)
  bindRoutes(app, {
    contracts,
    authenticate: () => Promise.resolve('alice'),
    callerOf: (actor) => ({ tokenId: actor, workspaceId: 'here' }),
    limiter: createRateLimiter(unlimited),
    call: (_name, _actor, input) => Promise.resolve(answerOf(Number(input['words']))),
    log,
  })
  const server = await serve({ app, host: '127.0.0.1', port: 0, drainSeconds: 0, log })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return async (headers: Record<string, string>, { method = 'GET', count = 1_000 } = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<{
      headers: Record<string, unknown>
      bytes: Buffer
    }>()
    const sent = request(`${server.url}/api/words?words=${count}`, { method, headers })
    sent.once('error', reject).once('response', (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(parts) }))
    })
    sent.end()
    return promise
  }
}

const token = { authorization: 'Bearer alice' }
const gzip = { 'accept-encoding': 'gzip, deflate, br' }

describe('an answer that was read', () => {
  test('is compressed for whoever takes that and names a token or a workspace', async () => {
    const ask = await open()
    for (const named of [token, { 'x-svc-workspace': 'here', cookie: 'a=b' }]) {
      const { headers, bytes } = await ask({ ...named, ...gzip })
      expect(headers).toMatchObject({
        'content-encoding': 'gzip',
        'content-type': 'application/json',
        'content-length': String(bytes.length),
        vary: 'accept-encoding',
      })
      expect(JSON.parse(gunzipSync(bytes).toString())).toEqual(answerOf(1_000))
    }
  })

  test('is the same without a body where only its headers are asked for', async () => {
    const ask = await open()
    for (const more of [gzip, {}]) {
      const whole = await ask({ ...token, ...more })
      const head = await ask({ ...token, ...more }, { method: 'HEAD' })
      const same = ({ headers }: typeof head) =>
        ['content-encoding', 'content-length', 'content-type', 'vary'].map((name) => headers[name])
      expect(same(head)).toEqual(same(whole))
      expect(head.bytes).toHaveLength(0)
    }
  })

  test('goes out as it is to whoever takes no other, and says that there is one', async () => {
    const ask = await open()
    for (const encoding of [undefined, 'br', 'gzip;q=0', 'identity']) {
      const accepting = encoding === undefined ? {} : { 'accept-encoding': encoding }
      const { headers, bytes } = await ask({ ...token, ...accepting })
      expect(headers).toMatchObject({
        'content-length': String(bytes.length),
        vary: 'accept-encoding',
      })
      expect(headers).not.toHaveProperty('content-encoding')
      expect(JSON.parse(bytes.toString())).toEqual(answerOf(1_000))
    }
  })

  test('is never compressed where it is small, or where another site may have asked for it', async () => {
    const ask = await open()
    for (const { headers, bytes } of [
      await ask({ ...token, ...gzip }, { count: 10 }),
      await ask({ cookie: 'a=b', ...gzip }),
    ]) {
      expect(headers).toMatchObject({ 'content-length': String(bytes.length) })
      expect(headers).not.toHaveProperty('content-encoding')
      expect(headers).not.toHaveProperty('vary')
    }
  })
})

test('the answer of a call that changes something is not compressed', async () => {
  const ask = await open()
  const { headers, bytes } = await ask({ ...token, ...gzip }, { method: 'POST' })
  expect(headers).not.toHaveProperty('content-encoding')
  expect(JSON.parse(bytes.toString())).toEqual(answerOf(1_000))
})
