import { randomUUID } from 'node:crypto'
import { inTransaction } from '@svc/domain/commit/transaction'
import { hashPassword } from '@svc/domain/people/hash-password'
import { storePassword } from '@svc/domain/people/passwords'
import { personEndpoints } from '@svc/domain/testing/operations'
import { signedIn } from '@svc/domain/testing/signed-in'
import type { World } from '@svc/domain/testing/world'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { sendTo, testAt } from '../testing/place.ts'
import { foreignTargets } from '../testing/return-targets.ts'

const password = 'four quiet words here'

const test = testAt(async ({ world, baseUrl }) => {
  const { userId } = await world.alice.actor()
  const hash = await hashPassword(password)
  await inTransaction({ domain: world.domain }, (tx) => storePassword(tx, userId, hash))

  const get = (path: string, cookie = '', headers: Record<string, string> = {}) =>
    fetch(baseUrl + path, { headers: { cookie, ...headers }, redirect: 'manual' })
  const send = sendTo(baseUrl)
  const signIn = async () => {
    const answer = await send('/signin', { email: 'ALICE@example.com', password })
    return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  return { world, baseUrl, get, send, signIn }
})

async function wasUsedNow({ domain: { db } }: World): Promise<boolean> {
  const { rows } = await sql`
    select from sign_ins where last_used_at > app.now() - interval '1 minute'`.execute(db)
  return rows.length > 0
}

describe('a browser', () => {
  test(
    'that knows the address of the service alone is redirected to where one signs in',
    { tags: 'large' },
    async ({ place }) => {
      const front = await place.get('/')
      expect([front.status, front.headers.get('location')]).toEqual([303, '/signin?next=%2F'])
    },
  )

  test('that guesses an address is told that nothing is there, and where one signs in', async ({
    place,
  }) => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const refused = expect.stringContaining('"code":"not_found"')
    for (const path of ['/login', '/sign-in', '/wiki/<b>/?a=1']) {
      const answer = await place.get(path, '', { accept })
      const text = await answer.text()
      expect(answer.status).toBe(404)
      expect(text).toContain('<h1>There is nothing here</h1>')
      for (const link of ['href="/signin"', 'href="/account"']) expect(text).toContain(link)
      expect(text).not.toContain('<b>')
    }
    for (const path of ['/api/nothing', '/mcp/nothing', '/oauth/nothing']) {
      const answer = await place.get(path, '', { accept })
      expect([answer.status, await answer.text()]).toEqual([404, refused])
    }
    const asked = await place.get('/login')
    expect([asked.status, await asked.text()]).toEqual([404, refused])
    expect((await place.get('/signin', '', { accept })).status).toBe(200)
  })

  test(
    'signs in by e-mail address and password, and out again',
    { tags: 'large' },
    async ({ place }) => {
      const before = await place.get('/account')
      expect([before.status, before.headers.get('location')]).toEqual([
        303,
        '/signin?next=%2Faccount',
      ])

      const cookie = await place.signIn()
      expect(cookie).toMatch(/^svc_session_\d+=[\w-]{43}$/)
      const account = await (await place.get('/account', cookie)).text()
      expect(account).toContain('alice@example.com')

      expect((await place.send('/signout', {}, { cookie })).status).toBe(403)
      const [, formToken = ''] = /name="form_token" value="([^"]+)"/.exec(account) ?? []
      await place.send('/signout', { form_token: formToken }, { cookie })
      expect((await place.get('/account', cookie)).status).toBe(303)
    },
  )

  test(
    'is told the same of a wrong password and of an unknown person',
    { tags: 'large' },
    async ({ place }) => {
      const answerTo = async (email: string) => {
        const answer = await place.send('/signin', { email, password: 'not the one it is' })
        expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null])
        return (await answer.text()).replaceAll(email, '')
      }
      expect(await answerTo('alice@example.com')).toBe(await answerTo('nobody@example.com'))
    },
  )

  test('does not keep a session that was planted in it', async ({ place }) => {
    const planted = `svc_session_${new URL(place.baseUrl).port}=${'p'.repeat(43)}`
    const answer = await place.send(
      '/signin',
      { email: 'alice@example.com', password },
      { cookie: planted },
    )
    expect(answer.headers.get('set-cookie')).not.toContain(planted)
    expect((await place.get('/account', planted)).status).toBe(303)
  })

  test.for([
    { case: 'no Origin', headers: { origin: '' } },
    { case: 'a null one', headers: { origin: 'null' } },
    { case: 'that of another site', headers: { origin: 'https://evil.example' } },
    { case: 'its own with a foreign Sec-Fetch-Site', headers: { 'sec-fetch-site': 'cross-site' } },
  ])('sends no form with $case', async ({ headers }, { place }) => {
    const answer = await place.send('/signin', { email: 'alice@example.com', password }, headers)
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null])
  })

  test(
    'is redirected to no other host after signing in, by the address of the page or its form',
    { tags: 'large' },
    async ({ place }) => {
      const person = { email: 'alice@example.com', password }
      for (const next of foreignTargets) {
        const page = await place.get(`/signin?${new URLSearchParams({ next }).toString()}`)
        expect(await page.text()).toContain('name="next" value="/"')
        const answer = await place.send('/signin', { ...person, next })
        expect([next, answer.status, answer.headers.get('location')]).toEqual([next, 303, '/'])
      }
    },
  )

  test('uses the API as its person, in the workspace that it names', async ({ place }) => {
    const cookie = await place.signIn()
    const me = (headers: Record<string, string>) => place.get('/api/me', cookie, headers)
    expect(await (await me({ 'x-svc-workspace': 'here' })).json()).toMatchObject({
      user: { name: 'alice' },
      workspace: { slug: 'here' },
      token: null,
    })
    expect((await me({})).status).toBe(400)
    expect((await me({ 'x-svc-workspace': 'elsewhere' })).status).toBe(401)
  })

  test.for(personEndpoints)(
    'asks what is its person’s own, and no token does: $method $path',
    async ({ method, path }, { place: { world, baseUrl } }) => {
      const { token, actor } = world.bob
      const { userId } = await actor()
      const url = baseUrl + path.replace(':id', randomUUID())
      const ask = async (headers: Record<string, string>) =>
        (await fetch(url, { method, headers })).status
      expect(await ask({ authorization: `Bearer ${token}` })).toBe(401)
      expect(await ask(await signedIn(world.domain, { userId, baseUrl }))).not.toBe(401)
    },
  )

  test('changes nothing over the API for another site', async ({ place }) => {
    const cookie = await place.signIn()
    const create = (origin: string) =>
      fetch(`${place.baseUrl}/api/projects`, {
        method: 'POST',
        headers: { cookie, origin, 'x-svc-workspace': 'here', 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'By a browser' }),
      })
    expect((await create('https://evil.example')).status).toBe(403)
    expect((await create(place.baseUrl)).status).toBe(201)
  })

  test('lists where its person is signed in, and ends one or all', async ({ place }) => {
    const [one, other] = [await place.signIn(), await place.signIn()]
    const sessions = async (cookie: string) => {
      const answer = await place.get('/api/me/sessions', cookie)
      // what the contract of this endpoint says
      return answer.ok
        ? ((await answer.json()) as { sessions: { id: string; isCurrent: boolean }[] }).sessions
        : answer.status
    }
    const end = (path: string, cookie: string) =>
      fetch(place.baseUrl + path, { method: 'DELETE', headers: { cookie, origin: place.baseUrl } })
    const listed = await sessions(one)
    expect(listed).toEqual(expect.arrayContaining([expect.objectContaining({ isCurrent: true })]))
    const current = Array.isArray(listed) ? listed.find(({ isCurrent }) => isCurrent)?.id : ''

    expect((await end(`/api/me/sessions/${current}`, other)).status).toBe(204)
    expect(await sessions(one)).toBe(401)
    expect(await sessions(other)).not.toBe(401)
    expect((await end('/api/me/sessions', other)).status).toBe(204)
    expect(await sessions(other)).toBe(401)
  })

  test(
    'that is left alone for 12 hours signs in again, and so does every one after 7 days',
    { tags: 'large' },
    async ({ place: { world, get, signIn } }) => {
      const status = async (cookie: string) => (await get('/account', cookie)).status
      const idle = await signIn()
      await world.advance(13 * 3600)
      expect(await status(idle)).toBe(303)
      const busy = await signIn()
      for (let hours = 0; hours < 168; hours += 8) {
        expect(await status(busy)).toBe(200)
        // its last use is noted while the answer is on its way
        await expect.poll(() => wasUsedNow(world)).toBe(true)
        await world.advance(8 * 3600)
      }
      expect(await status(busy)).toBe(303)
    },
  )
})
