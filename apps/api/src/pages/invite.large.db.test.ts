import { inTransaction } from '@svc/domain/commit/transaction'
import { hashPassword } from '@svc/domain/people/hash-password'
import { storePassword } from '@svc/domain/people/passwords'
import type { Person } from '@svc/domain/testing/people'
import { signedIn } from '@svc/domain/testing/signed-in'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { sendTo, testAt } from '../testing/place.ts'

const password = 'four quiet words here'

const test = testAt(async ({ world, baseUrl }) => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(new URL(path, baseUrl), { headers, redirect: 'manual' })
  const send = sendTo(baseUrl)
  /** Over HTTP, as the link is of the origin that was asked. */
  const post = async (person: Person, path: string, body: object) => {
    const answer = await fetch(`${baseUrl}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(201)
    // what the contracts of these endpoints say
    return (await answer.json()) as { link: string }
  }
  const invite = async (email: string, order: { by?: Person; role?: string } = {}) => {
    const { by = world.alice, role = 'member' } = order
    return new URL((await post(by, '/invitations', { email, role })).link)
  }
  const memberships = async (email: string) => {
    const { rows } = await sql<{ slug: string; role: string }>`
      select w.slug, m.role from memberships m join workspaces w on w.id = m.workspace_id
        join users u on u.id = m.user_id where u.email = ${email} order by w.slug`.execute(
      world.domain.db,
    )
    return rows
  }
  return { world, baseUrl, get, send, post, invite, memberships }
})

const tokenOf = (link: URL) => link.searchParams.get('token') ?? ''
const pathOf = ({ pathname, search }: URL) => pathname + search
const formTokenOf = (page: string) => /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? ''

describe('an invitation', () => {
  test('leads somebody new to an account, a membership and a signed-in browser, once', async ({
    place,
  }) => {
    const link = await place.invite('new@example.com', { role: 'viewer' })
    expect(link.origin).toBe(place.baseUrl)
    const page = await (await place.get(pathOf(link))).text()
    expect(page).toContain('alice invites new@example.com to the workspace Here as viewer')

    const token = tokenOf(link)
    const weak = await place.send('/invite', { token, name: 'Nina', password: 'short' })
    expect([weak.status, weak.headers.get('set-cookie')]).toEqual([400, null])
    expect(await weak.text()).toMatch(/Password: use at least 15 characters.*value="Nina"/s)

    const joined = await place.send('/invite', { token, name: 'Nina', password })
    expect([joined.status, joined.headers.get('location')]).toEqual([303, '/w/here'])
    const cookie = joined.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(await (await place.get('/account', { cookie })).text()).toContain('Nina')
    expect(await place.memberships('new@example.com')).toEqual([{ slug: 'here', role: 'viewer' }])

    expect((await place.get(pathOf(link))).status).toBe(404)
    expect((await place.send('/invite', { token, name: 'Eve', password })).status).toBe(404)
  })

  test('is opened by many at once who come from one network and are not signed in', async ({
    place: { get, invite },
  }) => {
    const link = await invite('many@example.com')
    const answers = await Promise.all(Array.from({ length: 40 }, () => get(pathOf(link))))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  })

  test('of a known address is accepted by that person alone, signed in, by a form of ours', async ({
    place: { world, baseUrl, get, send, invite, memberships },
  }) => {
    const link = await invite('carla@example.com')
    const token = tokenOf(link)
    const page = await (await get(pathOf(link))).text()
    expect(page).toContain(
      `/signin?next=${encodeURIComponent(pathOf(link)).replaceAll('%20', '+')}`,
    )
    expect((await send('/invite', { token, name: 'Eve', password })).status).toBe(403)

    const browserOf = async (person: Person) =>
      signedIn(world.domain, { userId: (await person.actor()).userId, baseUrl })
    const bob = await browserOf(world.bob)
    expect(await (await get(pathOf(link), bob)).text()).toContain('You are signed in as bob@')
    expect((await send('/invite', { token }, bob)).status).toBe(403)

    const carla = await browserOf(world.carla)
    const formToken = formTokenOf(await (await get(pathOf(link), carla)).text())
    expect((await send('/invite', { token }, carla)).status).toBe(403)
    const both = [1, 2].map(() => send('/invite', { token, form_token: formToken }, carla))
    const statuses = (await Promise.all(both)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([303, 404])
    expect(await memberships('carla@example.com')).toEqual([
      { slug: 'elsewhere', role: 'admin' },
      { slug: 'here', role: 'member' },
    ])
    const { entries } = await world.alice.call('listAudit', { action: 'member.joined', limit: 1 })
    expect(entries).toMatchObject([{ actor: { name: 'carla' }, details: { role: 'member' } }])
  })

  test('that two new people accept at once makes one of them', async ({ place }) => {
    const token = tokenOf(await place.invite('raced@example.com'))
    const answers = await Promise.all(
      ['One', 'Two'].map((name) => place.send('/invite', { token, name, password })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 404])
    expect(await place.memberships('raced@example.com')).toHaveLength(1)
  })

  test('is worthless once another one for the address was made, it was revoked, or 72 hours are over', async ({
    place: { world, get, invite },
  }) => {
    const status = async (link: URL) => (await get(pathOf(link))).status
    const [first, second] = [await invite('late@example.com'), await invite('LATE@example.com')]
    expect([await status(first), await status(second)]).toEqual([404, 200])
    const { invitations } = await world.alice.call('listInvitations', { limit: 1 })
    expect(invitations).toMatchObject([{ email: 'LATE@example.com', role: 'member' }])
    await world.alice.call('revokeInvitation', { id: invitations[0]?.id ?? '' })
    expect(await status(second)).toBe(404)
    const third = await invite('late@example.com')
    await world.advance(72 * 3600 - 60)
    expect(await status(third)).toBe(200)
    await world.advance(120)
    expect(await status(third)).toBe(404)
  })

  test('of somebody who lost the right invites nobody', async ({ place }) => {
    const { world, get, send, invite } = place
    const [demoted, lowered] = [await world.person('admin'), await world.person('owner')]
    const owner = await world.person('owner')
    const links = [
      await invite('one@example.com', { by: demoted }),
      await invite('two@example.com', { by: lowered, role: 'owner' }),
    ]
    await owner.call('updateMember', { id: demoted.userId, role: 'member' })
    await owner.call('updateMember', { id: lowered.userId, role: 'admin' })
    for (const link of links) {
      expect((await get(pathOf(link))).status).toBe(404)
      const accepting = send('/invite', { token: tokenOf(link), name: 'Eve', password })
      expect((await accepting).status).toBe(404)
    }
  })

  test('shows its link once: it is stored nowhere', async ({ place: { world, invite, post } }) => {
    const token = tokenOf(await invite('stored@example.com'))
    const { link } = await post(
      world.alice,
      `/members/${(await world.person('member')).userId}/reset-link`,
      {},
    )
    const { db } = world.domain
    for (const table of ['invitations', 'reset_links', 'audit_trail', 'idempotency_keys']) {
      const { rows } = await sql`select * from ${sql.table(table)}`.execute(db)
      const kept = JSON.stringify(rows)
      expect([table, kept.includes(token), kept.includes(tokenOf(new URL(link)))]).toEqual([
        table,
        false,
        false,
      ])
    }
  })
})

describe('a link to reset a password', () => {
  test('sets it once, signs everybody else out, and signs in', async ({
    place: { world, baseUrl, get, send, post },
  }) => {
    const person = await world.person('member')
    const { userId } = person
    const { user } = await person.call('getMe', {})
    const hash = await hashPassword('another four quiet words')
    await inTransaction({ domain: world.domain }, (tx) => storePassword(tx, userId, hash))
    const before = await signedIn(world.domain, { userId, baseUrl })
    const link = new URL((await post(world.alice, `/members/${userId}/reset-link`, {})).link)
    const token = tokenOf(link)
    expect((await get(pathOf(link))).status).toBe(200)
    const guessed = await send('/reset', { token, password: 'passwordpassword1' })
    expect([guessed.status, await guessed.text()]).toEqual([
      400,
      expect.stringContaining('guessed too soon'),
    ])
    const answers = await Promise.all([1, 2].map(() => send('/reset', { token, password })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 404])
    const set = answers.find(({ status }) => status === 303)
    const cookie = set?.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await get('/account', { cookie })).status).toBe(200)
    expect((await get('/account', before)).status).toBe(303)
    expect((await send('/signin', { email: user.email, password })).status).toBe(303)
    const { entries } = await world.alice.call('listAudit', { action: 'password.reset' })
    expect(entries).toMatchObject([{ targetId: userId, actor: { id: userId } }])
  })

  test.for(['is an hour old', 'is replaced', 'is of an admin who is none any more'])(
    'is worthless once it %s',
    async (why, { place: { world, send, post } }) => {
      const [owner, admin] = [await world.person('owner'), await world.person('admin')]
      const { userId } = await world.person('member')
      const reset = () => post(admin, `/members/${userId}/reset-link`, {})
      const { link } = await reset()
      if (why === 'is an hour old') await world.advance(3601)
      if (why === 'is replaced') await reset()
      if (why.startsWith('is of')) {
        await owner.call('updateMember', { id: admin.userId, role: 'viewer' })
      }
      const answer = await send('/reset', { token: tokenOf(new URL(link)), password })
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([404, null])
    },
  )

  test('stays good where somebody changes the password, as who has got hold of the account would', async ({
    place: { world, baseUrl, send, post },
  }) => {
    const { userId } = await world.person('member')
    const hash = await hashPassword('another four quiet words')
    await inTransaction({ domain: world.domain }, (tx) => storePassword(tx, userId, hash))
    const { link } = await post(world.alice, `/members/${userId}/reset-link`, {})
    const changed = await fetch(`${baseUrl}/api/me/password`, {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        ...(await signedIn(world.domain, { userId, baseUrl })),
      },
      body: JSON.stringify({ currentPassword: 'another four quiet words', newPassword: password }),
    })
    expect(changed.status).toBe(204)
    const answer = await send('/reset', { token: tokenOf(new URL(link)), password })
    expect(answer.status).toBe(303)
  })

  test('made by an admin is worthless once its person is in another workspace, too', async ({
    place: { world, baseUrl, send, post },
  }) => {
    const { userId } = await world.person('member')
    const { link } = await post(world.alice, `/members/${userId}/reset-link`, {})
    const headers = await signedIn(world.domain, { userId, baseUrl })
    const make = () =>
      fetch(`${baseUrl}/api/workspaces`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ slug: 'own', name: 'Own' }),
      })
    const [once, again] = [await make(), await make()]
    expect([once.status, again.status]).toEqual([201, 201])
    expect(await again.json()).toEqual(await once.json())
    const me = await fetch(`${baseUrl}/api/me`, {
      headers: { ...headers, 'x-svc-workspace': 'own' },
    })
    expect(await me.json()).toMatchObject({
      role: 'owner',
      workspaces: [
        { slug: 'here', role: 'member' },
        { slug: 'own', role: 'owner' },
      ],
    })
    const answer = await send('/reset', { token: tokenOf(new URL(link)), password })
    expect(answer.status).toBe(404)
  })
})

test('a slug that is taken makes nobody else an owner', async ({ place: { world, baseUrl } }) => {
  const { userId } = await world.bob.actor()
  const headers = await signedIn(world.domain, { userId, baseUrl })
  const answer = await fetch(`${baseUrl}/api/workspaces`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ slug: 'elsewhere', name: 'Mine' }),
  })
  expect(answer.status).toBe(409)
})
