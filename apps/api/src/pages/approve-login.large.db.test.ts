import { hash, randomBytes, randomUUID } from 'node:crypto'
import { browse } from '@svc/testing/fetch-pages'
import { highLimits } from '@svc/testing/high-limits'
import { publicEndpoints } from '@svc/domain/testing/operations'
import { signedIn } from '@svc/domain/testing/signed-in'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { testAt } from '../testing/place.ts'

const path = '/login/approve'

const test = testAt(
  async ({ world, baseUrl }) => {
    const { userId } = await world.alice.actor()
    const browser = browse(baseUrl, await signedIn(world.domain, { userId, baseUrl }))

    const post = (to: string, body: object, from = networkOfItsOwn()) =>
      fetch(baseUrl + to, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
        body: JSON.stringify(body),
      })

    /** What `svc login` does until somebody decides. */
    const ask = async (device = 'alice’s laptop') => {
      const verifier = randomBytes(32).toString('base64url')
      const input = { challenge: hash('sha256', verifier, 'base64url'), device }
      const answer = await post('/api/login-requests', input)
      expect(answer.status).toBe(201)
      const { id, code, address } = Object(await answer.json())
      const page = String(address).slice(baseUrl.length)
      const poll = async (given = verifier) => {
        const polled = await post(`/api/login-requests/${id}/poll`, { verifier: given })
        return { status: polled.status, ...Object(await polled.json()) }
      }
      const decide = (decision: string, headers?: Record<string, string>) => {
        const request = new URL(address).searchParams.get('request') ?? ''
        const fields = { request, decision, workspace: world.workspaceId }
        return browser.submit(page, path, fields, headers)
      }
      return { id, code, address, page, input, poll, decide }
    }
    const me = (token: string) =>
      fetch(`${baseUrl}/api/me`, { headers: { authorization: `Bearer ${token}` } })
    return { world, baseUrl, browser, post, ask, me }
  },
  { SVC_TRUSTED_PROXIES: '127.0.0.1', ...highLimits },
)

let networks = 0
function networkOfItsOwn(): string {
  networks += 1
  return `192.0.2.${networks}`
}

describe('a command line that asks to be signed in', () => {
  test('gets a token of the person who approves it, for everything, for 90 days', async ({
    place: { browser, ask, me },
  }) => {
    const asked = await ask()
    expect(asked.code).toMatch(/^[B-Z2-9]{4}-[B-Z2-9]{4}$/)
    expect(await asked.poll()).toMatchObject({ status: 200, state: 'pending', granted: null })

    const page = await (await browser.get(asked.page)).text()
    for (const text of [asked.code, 'alice’s laptop', '192.0.2.', 'full', '90 days', 'here']) {
      expect(page).toContain(text)
    }
    expect((await asked.decide('approve')).status).toBe(303)
    const { state, granted } = await asked.poll()
    expect(state).toBe('approved')
    expect(granted.userToken).toMatchObject({
      preset: 'full',
      label: 'svc login on alice’s laptop',
    })
    expect(await (await me(granted.token)).json()).toMatchObject({
      user: { name: 'alice' },
      token: { id: granted.userToken.id },
    })
    expect(await (await browser.get(asked.page)).text()).toContain('It is signed in')
  })

  test('that asked for the token and heard nothing is given it again, within a minute', async ({
    place: { world, ask },
  }) => {
    const asked = await ask()
    await asked.decide('approve')
    const answers = await Promise.all([asked.poll(), asked.poll(), asked.poll()])
    const tokens = new Set(answers.map(({ granted }) => granted.token))
    expect(tokens.size).toBe(1)
    await world.advance(61)
    expect(await asked.poll()).toMatchObject({ state: 'expired', granted: null })
  })

  test('leaves nothing behind that its token could be made of', async ({
    place: { world, ask },
  }) => {
    const asked = await ask()
    await asked.decide('approve')
    const { granted } = await asked.poll()
    const handle = new URL(asked.address).searchParams.get('request')
    const { rows } = await sql<{ row: string }>`
      select r::text as row from login_requests r where id = ${asked.id}
      union all select t::text from user_tokens t where id = ${granted.userToken.id}
      union all select a::text from audit_trail a`.execute(world.domain.db)
    expect(rows.length).toBeGreaterThan(2)
    for (const { row } of rows) {
      expect(row).not.toContain(granted.token)
      expect(row).not.toContain(handle)
    }
  })

  test('hears of a denial', async ({ place: { browser, ask } }) => {
    const asked = await ask()
    await asked.decide('deny')
    expect(await asked.poll()).toMatchObject({ state: 'denied', granted: null })
    expect(await (await browser.get(asked.page)).text()).toContain('Denied')
  })

  test('with a wrong verifier ends its request, whoever approves it', async ({
    place: { ask },
  }) => {
    const asked = await ask()
    expect(await asked.poll(randomBytes(32).toString('base64url'))).toMatchObject({ status: 403 })
    await asked.decide('approve')
    expect(await asked.poll()).toMatchObject({ status: 200, state: 'expired', granted: null })
  })

  test('has ten minutes, and the page says when they are over', async ({
    place: { world, browser, ask },
  }) => {
    const asked = await ask()
    const approved = await ask()
    await approved.decide('approve')
    await world.advance(601)
    expect((await asked.poll()).state).toBe('expired')
    expect((await approved.poll()).state).toBe('expired')
    expect(await (await browser.get(asked.page)).text()).toContain('This has ended')
  })

  test('asks for a person who has left by then, and gets nothing', async ({
    place: { world, baseUrl, ask },
  }) => {
    const leaver = await world.person('member')
    const browser = browse(
      baseUrl,
      await signedIn(world.domain, { userId: leaver.userId, baseUrl }),
    )
    const asked = await ask()
    const request = new URL(asked.address).searchParams.get('request') ?? ''
    const fields = { request, decision: 'approve', workspace: world.workspaceId }
    await browser.submit(asked.page, path, fields)
    await sql`delete from memberships where user_id = ${leaver.userId}`.execute(world.domain.db)
    expect(await asked.poll()).toMatchObject({ state: 'denied', granted: null })
  })

  test('cannot be signed in by somebody who is in no workspace', async ({
    place: { world, baseUrl, ask },
  }) => {
    const { userId } = await world.person('member')
    await sql`delete from memberships where user_id = ${userId}`.execute(world.domain.db)
    const browser = browse(baseUrl, await signedIn(world.domain, { userId, baseUrl }))
    const page = await (await browser.get((await ask()).page)).text()
    expect(page).toContain('Ask an admin for an invitation.')
    expect(page).toContain('value="deny"')
    expect(page).not.toContain('value="approve"')
  })

  test('asks again after an answer that was lost, and gets the same one', async ({
    place: { post, ask },
  }) => {
    const asked = await ask()
    const again = await post('/api/login-requests', asked.input)
    expect(await again.json()).toMatchObject({
      id: asked.id,
      code: asked.code,
      address: asked.address,
    })
  })

  test('waits where too many of its network ask', async ({ place: { post } }) => {
    const answers: string[] = []
    for (let count = 0; count < 22; count += 1) {
      const challenge = randomBytes(32).toString('base64url')
      const answer = await post(
        '/api/login-requests',
        { challenge, device: 'one of many' },
        '198.51.100.7',
      )
      answers.push(`${answer.status} ${answer.headers.get('retry-after')}`)
    }
    expect(answers.filter((answer) => answer === '201 null')).toHaveLength(20)
    expect(answers.filter((answer) => answer === '429 60')).toHaveLength(2)
  })

  test.for(['\u202egnivil', 'a\nb', 'zero\u200bwidth', 'x'.repeat(81), ' '])(
    'cannot call itself %j',
    async (device, { place: { post } }) => {
      const challenge = randomBytes(32).toString('base64url')
      expect((await post('/api/login-requests', { challenge, device })).status).toBe(400)
    },
  )

  test('cannot write into the page', async ({ place: { browser, ask } }) => {
    const asked = await ask('<img src=x><b>you</b>')
    const page = await (await browser.get(asked.page)).text()
    expect(page).toContain('&lt;img src=x&gt;')
    expect(page).not.toContain('<img')
  })
})

describe('approving a command line', () => {
  test('asks whoever is not signed in to sign in first, and leads back', async ({
    place: { baseUrl, ask },
  }) => {
    const { page } = await ask()
    const answer = await fetch(baseUrl + page, { redirect: 'manual' })
    expect(answer.headers.get('location')).toBe(
      `/signin?${new URLSearchParams({ next: page }).toString()}`,
    )
  })

  test('leads whoever was signed out meanwhile back to the page of the form', async ({
    place: { baseUrl, ask },
  }) => {
    const { page } = await ask()
    const leftFrom = async (referer: string) => {
      const headers = { origin: baseUrl, referer }
      const body = new URLSearchParams({ decision: 'approve' })
      const url = `${baseUrl}/login/approve`
      const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
      return answer.headers.get('location')
    }
    const signIn = (next: string) => `/signin?${new URLSearchParams({ next }).toString()}`
    expect(await leftFrom(baseUrl + page)).toBe(signIn(page))
    expect(await leftFrom(`https://evil.example${page}`)).toBe(signIn('/'))
    expect(await leftFrom('')).toBe(signIn('/'))
  })

  test.for([
    { case: 'without Origin', headers: { origin: '' } },
    { case: 'with a null one', headers: { origin: 'null' } },
    { case: 'from another site', headers: { 'sec-fetch-site': 'cross-site' } },
    { case: 'as JSON', headers: { 'content-type': 'application/json' } },
  ])('is refused $case', async ({ headers }, { place: { ask } }) => {
    const asked = await ask()
    expect((await asked.decide('approve', headers)).status).toBeGreaterThanOrEqual(400)
    expect((await asked.poll()).state).toBe('pending')
  })

  test('is refused with the form of another request, or of another sign-in', async ({
    place: { world, baseUrl, browser, ask },
  }) => {
    const [asked, other] = [await ask(), await ask()]
    const request = new URL(asked.address).searchParams.get('request') ?? ''
    const fields = { request, decision: 'approve', workspace: world.workspaceId }
    expect((await browser.submit(other.page, path, fields)).status).toBe(403)

    const { userId } = await world.alice.actor()
    const elsewhere = await signedIn(world.domain, { userId, baseUrl })
    const answer = await browser.submit(asked.page, path, fields, elsewhere)
    expect(answer.status).toBe(403)
    expect((await asked.poll()).state).toBe('pending')
  })

  test('is for a workspace that one is a member of', async ({ place: { world, browser, ask } }) => {
    const asked = await ask()
    const request = new URL(asked.address).searchParams.get('request') ?? ''
    const { workspaceId } = await world.carla.actor()
    const fields = { request, decision: 'approve', workspace: workspaceId }
    expect((await browser.submit(asked.page, path, fields)).status).toBe(404)
    expect((await asked.poll()).state).toBe('pending')
  })

  test('twice is once, and what is decided stays, whatever a page that was open still says', async ({
    place: { world, browser, ask },
  }) => {
    for (const first of ['approve', 'deny']) {
      const asked = await ask()
      const open = await browser.open(asked.page)
      const request = new URL(asked.address).searchParams.get('request') ?? ''
      const decide = (decision: string) =>
        open.submit(path, { request, decision, workspace: world.workspaceId })
      await decide(first)
      const later = await Promise.all([decide('approve'), decide('deny'), decide(first)])
      expect(later.map(({ status }) => status)).toEqual([303, 303, 303])
      const state = first === 'approve' ? 'approved' : 'denied'
      expect((await asked.poll()).state).toBe(state)
      await decide('deny')
      expect((await asked.poll()).state).toBe(state)
      const { rows } = await sql`
        select from user_tokens t join login_requests r on r.token_id = t.id
         where r.id = ${asked.id}`.execute(world.domain.db)
      expect(rows).toHaveLength(first === 'approve' ? 1 : 0)
    }
  })
})

test('a token ends itself, and whatever it minted', async ({ place: { world, baseUrl, me } }) => {
  const reader = await world.alice.withPreset('read_only')
  const parent = await world.alice.withPreset('full')
  const child = await parent.withPreset('read_only')
  for (const { token } of [reader, parent]) {
    const answer = await fetch(`${baseUrl}/api/user-tokens/current`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answer.status).toBe(204)
  }
  for (const { token } of [reader, parent, child]) expect((await me(token)).status).toBe(401)
  expect((await me(world.alice.token)).status).toBe(200)
})

test.for(publicEndpoints)(
  'whatever comes to $method $path is refused for what it is, and no credential with it is tried',
  async ({ method, path: template }, { place: { baseUrl } }) => {
    const at = baseUrl + template.replace(':id', randomUUID())
    const bodies = [
      '',
      '{',
      'null',
      '[]',
      '{}',
      '{"challenge":1}',
      '{"verifier":"\\u0000"}',
      '1e999',
    ]
    for (const body of bodies) {
      const headers = { 'content-type': 'application/json', authorization: 'Bearer junk' }
      const answer = await fetch(at, { method, headers, body })
      expect([body, answer.status]).toEqual([body, 400])
    }
    const unknown = await fetch(at, {
      method,
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    })
    expect(unknown.status).toBe(415)
  },
)
