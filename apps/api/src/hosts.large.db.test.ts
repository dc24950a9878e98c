import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { highLimits } from '@svc/testing/high-limits'
import { describe, expect } from 'vitest'
import { testAt, openPlace } from './testing/place.ts'

interface Sent {
  path: string
  host: string
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** `fetch` writes Host itself. */
function send(listening: string, { path, host, method = 'GET', headers = {}, body }: Sent) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number | undefined
    headers: NodeJS.Dict<string | string[]>
    body: string
  }>()
  request(listening + path, { method, headers: { host, ...headers } }, (answer) => {
    text(answer).then(
      (said) => resolve({ status: answer.statusCode, headers: answer.headers, body: said }),
      reject,
    )
  })
    .on('error', reject)
    .end(body)
  return promise
}

const test = testAt(({ world, baseUrl }) => ({ world, baseUrl }), {
  ...highLimits,
  SVC_SERVED_HOSTS: 'api:4600, Inside.example',
})

const served = ['/api/openapi.json', '/api/me', '/signin', '/account', '/oauth/authorize', '/none']

describe('the host of a request', () => {
  test('is ours wherever anything is read, and the refusal names the setting', async ({
    place: { baseUrl },
  }) => {
    const { port } = new URL(baseUrl)
    const foreign = [
      'evil.example',
      `evil.example:${port}`,
      `localhost.evil.example:${port}`,
      'api:1',
    ]
    for (const path of served) {
      for (const host of foreign) {
        const { status, body } = await send(baseUrl, { path, host })
        expect([path, host, status]).toEqual([path, host, 403])
        expect(body).toContain('SVC_SERVED_HOSTS')
        expect(body).toContain(baseUrl)
      }
      const own = [`127.0.0.1:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`, 'localhost:9']
      for (const host of [...own, 'api:4600', 'inside.example', 'inside.example:81']) {
        expect([path, host, (await send(baseUrl, { path, host })).status]).not.toContain(403)
      }
    }
  })

  test('is anybody’s where the health is asked', async ({ place: { baseUrl } }) => {
    for (const path of ['/livez', '/readyz']) {
      // ready is what has its connections
      await expect
        .poll(async () => (await send(baseUrl, { path, host: 'evil.example' })).status)
        .toBe(200)
    }
  })

  test('is quoted as far as it is short', async ({ place: { baseUrl } }) => {
    const { status, body } = await send(baseUrl, { path: '/', host: 'x'.repeat(9_000) })
    expect(status).toBe(403)
    expect(body.length).toBeLessThan(1_000)
  })
})

test('a public origin of https has browsers keep to it', async ({ place }) => {
  const host = 'svc.example'
  await using secure = await openPlace({ SVC_BASE_URL: `https://${host}` })
  const { url } = secure
  const answers = await Promise.all(
    ['/signin', '/api/openapi.json', '/api/me'].map((path) => send(url, { path, host })),
  )
  expect(answers.map(({ headers }) => headers['strict-transport-security'])).toEqual(
    Array(3).fill('max-age=31536000'),
  )
  const plain = await fetch(`${place.baseUrl}/signin`)
  expect(plain.headers.get('strict-transport-security')).toBeNull()
})

test('an address that is for programs is named to programs, whatever they take', async ({
  place: { baseUrl },
}) => {
  const headers = { accept: 'text/html,application/json;q=0.9,*/*;q=0.8' }
  const answer = await fetch(`${baseUrl}/.well-known/openid-configuration`, { headers })
  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } })
})

test('a refusal repeats no more than a part of what was sent', async ({
  place: { world, baseUrl },
}) => {
  const long = 'k'.repeat(900_000)
  const bodies = [{ [long]: 1 }, { name: { [long]: 1 } }, { [long]: '\ud800' }]
  for (const given of bodies) {
    const answer = await fetch(`${baseUrl}/api/projects`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.alice.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(given),
    })
    expect(answer.status).toBe(400)
    expect((await answer.text()).length).toBeLessThan(2_000)
  }
  const many = Object.fromEntries(
    Array.from({ length: 1_900 }, (_, n) => [`key-${n}`.repeat(30), 1]),
  )
  const answer = await fetch(`${baseUrl}/api/projects`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.alice.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(many),
  })
  expect((await answer.text()).length).toBeLessThan(20_000)
  const path = `/${'p'.repeat(8_000)}`
  for (const accept of ['text/html', 'application/json']) {
    const nothing = await fetch(baseUrl + path, { headers: { accept } })
    expect([nothing.status, (await nothing.text()).length < 2_000]).toEqual([404, true])
  }
})
