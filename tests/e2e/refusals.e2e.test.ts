import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { ErrorBody } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import { verifies } from '@svc/testing/verifies'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import type { Scene } from './support/scene.ts'
import type { Service } from './support/service.ts'
import { test as base } from './support/test.ts'

const test = base.extend('scene', { scope: 'file' }, async ({ service }, { onCleanup }) => {
  const scene = await service.scene()
  onCleanup(() => scene[Symbol.asyncDispose]())
  return scene
})

type Init = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }

interface Answer {
  status: number
  code: string
  headers: Headers
}

/** Whatever is refused has the one shape of an error, and a sentence. */
async function send(service: Service, path: string, init: Init = {}): Promise<Answer> {
  const response = await fetch(service.baseUrl + path, init)
  const { error } = ErrorBody.parse(await response.json())
  expect(error.message).toMatch(/^[A-Z].{10,}$/)
  expect(response.headers.get('x-request-id')).toBe(error.requestId)
  return { status: response.status, code: error.code, headers: response.headers }
}

function bearer(token: string, init: Init = {}): Init {
  return { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } }
}

function json(body: unknown): Init {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
}

async function missions({ client }: Scene): Promise<number> {
  return (await client.call('listMissions', {})).missions.length
}

describe('a token', () => {
  const wrong = {
    'that is missing': {},
    'that is empty': { authorization: 'Bearer ' },
    'that is no token': { authorization: 'Bearer let-me-in' },
    'that nobody was given': { authorization: `Bearer svcut_${'0'.repeat(49)}` },
    'in another scheme': { authorization: 'Basic c3ZjOnN2Yw==' },
  }
  test.for(Object.entries(wrong))('%s is refused', async ([, headers], { service, scene }) => {
    const answer = await send(service, `/api/missions/${scene.mission.id}`, { headers })
    expect(answer).toMatchObject({ status: 401, code: 'unauthenticated' })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })

  test(verifies('auth.bearer', 'is sent as bearer, and only so'), async ({ service, scene }) => {
    const path = `/api/missions/${scene.mission.id}`
    const good = await fetch(service.baseUrl + path, bearer(scene.token))
    expect(good.status).toBe(200)
    const inQuery = await send(service, `${path}?access_token=${scene.token}`)
    expect(inQuery.status).toBe(401)
  })

  test('that has expired is refused', async ({ service, scene }) => {
    const token = await service.token()
    const path = `/api/missions/${scene.mission.id}`
    expect((await fetch(service.baseUrl + path, bearer(token))).status).toBe(200)
    await sql`update user_tokens set expires_at = app.now() - interval '1 second'
               where prefix = ${token.slice(0, 14)}`.execute(service.domain.db)
    expect(await send(service, path, bearer(token))).toMatchObject({ status: 401 })
  })

  test('that was revoked is refused at once', async ({ service, scene }) => {
    const { token, userToken } = await scene.client.call('createUserToken', {
      label: 'short-lived',
      preset: 'read_only',
    })
    const path = `/api/missions/${scene.mission.id}`
    expect((await fetch(service.baseUrl + path, bearer(token))).status).toBe(200)
    await scene.client.call('revokeUserToken', { id: userToken.id })
    expect(await send(service, path, bearer(token))).toMatchObject({ status: 401 })
  })

  test(
    verifies(
      'mission.display-id-scoped',
      'of another workspace finds nothing, by id or by display id',
    ),
    async ({ service, scene }) => {
      const foreign = bearer(await service.token({ workspace: 'elsewhere' }))
      for (const id of [scene.mission.id, scene.mission.displayId]) {
        const path = `/api/missions/${encodeURIComponent(id)}`
        expect(await send(service, path, foreign)).toMatchObject({ status: 404, code: 'not_found' })
      }
      const launch = `/api/objectives/${scene.objective.id}/launch`
      const asked = { ...json({ agent: 'scripted' }) }
      const answer = await send(service, launch, {
        ...asked,
        headers: { ...asked.headers, ...foreign.headers, 'idempotency-key': crypto.randomUUID() },
      })
      expect(answer).toMatchObject({ status: 404 })
      const { objective } = await scene.client.call('getObjective', { id: scene.objective.id })
      expect(objective.state).toBe('draft')
    },
  )

  test(
    verifies('auth.narrow-scopes', 'with few scopes may do what they say and nothing beyond'),
    async ({ service, scene }) => {
      const reader = await service.token({ preset: 'read_only' })
      const mission = `/api/missions/${scene.mission.id}`
      expect((await fetch(service.baseUrl + mission, bearer(reader))).status).toBe(200)
      const before = await missions(scene)
      const order = { projectId: scene.project.id, title: 'Not mine to make' }
      const refused = { status: 403, code: 'forbidden' }
      expect(await send(service, '/api/missions', bearer(reader, json(order)))).toMatchObject(
        refused,
      )
      const launch = `/api/objectives/${scene.objective.id}/launch`
      const runner = await service.token({ preset: 'runner' })
      const asked = bearer(runner, json({ agent: 'scripted' }))
      expect(await send(service, launch, asked)).toMatchObject(refused)
      expect(await missions(scene)).toBe(before)
    },
  )

  test("is bounded by its owner's role", async ({ service, scene }) => {
    const viewer = await service.token({ role: 'viewer' })
    const asked = bearer(viewer, json({ agent: 'scripted' }))
    const answer = await send(service, `/api/objectives/${scene.objective.id}/launch`, asked)
    expect(answer).toMatchObject({ status: 403, code: 'forbidden' })
  })
})

describe('a body', () => {
  test.for([
    ['that is not JSON', '{"title": '],
    ['that is not an object', '[1, 2]'],
    ['that lacks a field', '{"title":"Where?"}'],
    ['with a field that nobody knows', '{"title":"A","projectId":"x","colour":"red"}'],
    ['with NUL in a text', '{"title":"A\\u0000B","projectId":"x"}'],
  ] as const)('%s is refused', async ([, body], { service, scene }) => {
    const answer = await send(service, '/api/missions', bearer(scene.token, json(body)))
    expect(answer).toMatchObject({ status: 400, code: 'validation_failed' })
  })

  test.for(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1'])(
    'called %s is refused',
    async (type, { service, scene }) => {
      const init = { method: 'POST', body: '{}', headers: { 'content-type': type } }
      const answer = await send(service, '/api/missions', bearer(scene.token, init))
      expect(answer).toMatchObject({ status: 415, code: 'unsupported_media_type' })
    },
  )

  test('that is compressed is refused', async ({ service, scene }) => {
    const init = json({ title: 'A' })
    const headers = { ...init.headers, 'content-encoding': 'gzip' }
    const answer = await send(service, '/api/missions', bearer(scene.token, { ...init, headers }))
    expect(answer).toMatchObject({ status: 415 })
  })

  test('that is too large is refused, whether or not it says how large it is', async ({
    service,
    scene,
  }) => {
    const huge = JSON.stringify({ title: 'x'.repeat(limits.jsonBodyBytes) })
    const refused = { status: 413, code: 'too_large' }
    expect(await send(service, '/api/missions', bearer(scene.token, json(huge)))).toMatchObject(
      refused,
    )
    const streamed = { ...json(''), body: new Blob([huge]).stream(), duplex: 'half' as const }
    expect(await send(service, '/api/missions', bearer(scene.token, streamed))).toMatchObject(
      refused,
    )
  })

  test('of a log that is not bytes is refused', async ({ service }) => {
    const runner = await service.token({ preset: 'runner' })
    const path = `/api/runner/requests/${crypto.randomUUID()}/logs`
    const answer = await send(service, path, bearer(runner, json({})))
    expect([400, 415]).toContain(answer.status)
  })
})

describe('an address', () => {
  test.for(['/api/nothing', '/api/missions/a/b/c', '/nothing', '/api/runner'])(
    '%s that is none is not found',
    async (path, { service, scene }) => {
      expect(await send(service, path, bearer(scene.token))).toMatchObject({ status: 404 })
    },
  )

  test('of a mission that is none says by which operation to find one', async ({
    service,
    scene,
  }) => {
    const response = await fetch(`${service.baseUrl}/api/missions/web:404`, bearer(scene.token))
    expect(ErrorBody.parse(await response.json()).error).toMatchObject({
      code: 'not_found',
      message: 'No mission web:404 here.',
      next: { operation: 'listMissions', params: {} },
    })
  })

  test('says which methods it takes', async ({ service, scene }) => {
    const answer = await send(service, '/api/missions', bearer(scene.token, { method: 'DELETE' }))
    expect(answer).toMatchObject({ status: 405, code: 'method_not_allowed' })
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST')
  })

  test.for([
    ['half an escape', '%'],
    ['NUL', '%00'],
    ['a path', '..%2f..%2fetc'],
    ['a quote', "'--"],
    ['8,000 characters', 'x'.repeat(8_000)],
  ] as const)('with %s for an id is refused', async ([, id], { service, scene }) => {
    const answer = await send(service, `/api/missions/${id}`, bearer(scene.token))
    expect([400, 404]).toContain(answer.status)
  })
})

describe('a connection', () => {
  test('that does not speak HTTP is refused, and the next one is served', async ({ service }) => {
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1')
    socket.end('\u0000\u0001 nonsense\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
    expect((await fetch(`${service.baseUrl}/livez`)).status).toBe(200)
  })

  test('that breaks off within a body changes nothing', async ({ service, scene }) => {
    const before = await missions(scene)
    const body = JSON.stringify({ projectId: scene.project.id, title: 'Half' })
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1')
    socket.write(
      `POST /api/missions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${scene.token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length + 1}\r\n\r\n${body}`,
      () => socket.destroy(),
    )
    await new Promise((resolve) => socket.once('close', resolve))
    expect((await fetch(`${service.baseUrl}/livez`)).status).toBe(200)
    expect(await missions(scene)).toBe(before)
  })
})
