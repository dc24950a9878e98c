import { authenticate } from '@svc/domain/access/authenticate'
import { createResetLinkOnServer } from '@svc/domain/members/reset-links'
import { tokenFromOAuth } from '@svc/domain/testing/granted'
import { personWith } from '@svc/domain/testing/people'
import { sql } from 'kysely'
import { describe, expect, test as base } from 'vitest'
import type { Browser } from '../testing/browser.ts'
import { comeBack, leave } from '../testing/come-back.ts'
import { type OpenIdPlace, openOpenIdPlace } from '../testing/openid-place.ts'

// oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
const test = base.extend('place', { scope: 'file' }, async ({}, { onCleanup }) => {
  const place = await openOpenIdPlace()
  onCleanup(() => place[Symbol.asyncDispose]())
  return place
})

const password = 'four quiet words here'

/** A password by an invitation to `<name>@example.com`, from whoever has the link, in a workspace of their own making. */
async function takeAddress({ world, browser: open }: OpenIdPlace, name: string) {
  const email = `${name}@example.com`
  const { link } = await world.carla.call('createInvitation', { email, role: 'admin' })
  const browser = open()
  const token = new URL(link).searchParams.get('token') ?? ''
  const joined = await browser.send('/invite', { token, name: `Not ${name}`, password })
  expect(joined.status).toBe(303)
  const { id: userId } = await world.domain.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return { email, browser, userId, token: await mint(browser) }
}

async function mint(browser: Browser): Promise<string> {
  const page = await (await browser.get('/account')).text()
  const [, form] = /(<form[^>]*action="\/account\/tokens"[\s\S]*?<\/form>)/.exec(page) ?? []
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(form ?? '')?.[1]
  const named = ['form_token', 'workspace', 'key'].map((name) => [name, field(name) ?? ''])
  const fields = { ...Object.fromEntries(named), label: 'own', preset: 'full', days: '9' }
  const made = await (await browser.send('/account/tokens', fields)).text()
  return /<pre>(svcut_\w+)<\/pre>/.exec(made)?.[1] ?? ''
}

/** An account at the provider that is not of the address which it is linked to. */
async function linkOwn(place: OpenIdPlace, browser: Browser, sub: string, claims: object = {}) {
  const form_token = (await browser.formTokens('/openid')).at(-1) ?? ''
  const asked = await leave(browser, 'made', { form_token })
  const reply = { claims: { sub, email: `${sub}@elsewhere.example`, ...claims } }
  return comeBack(place, browser, asked, reply)
}

/** Whoever the address is of, by the provider that says so. */
async function arrive(place: OpenIdPlace, browser: Browser, name: string) {
  const claims = { sub: `real-${name}`, email: `${name}@example.com` }
  return comeBack(place, browser, await leave(browser), { claims })
}

const goOn = '/openid/made/own'

describe('an account that somebody made of an address that is not theirs', () => {
  test('is nobody else’s after a reset, which has said before what it ends', async ({ place }) => {
    const { world, browser: open, baseUrl } = place
    const { domain } = world
    const { email, browser, userId, token } = await takeAddress(place, 'hanna')
    await linkOwn(place, browser, 'mallory')
    const taken = personWith(domain, token)
    const application = await tokenFromOAuth(domain, await taken.actor())
    const project = await taken.call('createProject', { name: 'Plans' })
    const { mission } = await taken.call('createMission', {
      projectId: project.project.id,
      title: 'Plan',
      objectives: [{ title: 'Plan', instruction: 'Plan.' }],
    })
    const runner = await world.connectedRunner(project.project, { owner: taken, label: 'a shed' })
    const [objective] = (await taken.mission(mission)).objectives
    await taken.launch({ id: objective?.id ?? '' })
    await runner.take()

    const { link, ends } = await createResetLinkOnServer(domain, { email, baseUrl })
    expect(ends).toMatchObject({
      sessions: { newest: [{ from: expect.any(String) }] },
      tokens: { newest: expect.arrayContaining([expect.objectContaining({ label: 'own' })]) },
      runners: { newest: [{ label: 'a shed', workspace: 'elsewhere' }] },
      applications: { newest: [{ label: 'An application' }] },
      identities: { newest: [{ subject: 'mallory' }] },
      runs: { newest: [{ objective: objective?.displayId, runner: 'a shed' }] },
    })
    // whoever has the account undoes nothing by setting a password meanwhile
    const form_token = (await browser.formTokens('/account')).at(-1) ?? ''
    const changed = { form_token, currentPassword: password, newPassword: 'a third quiet phrase' }
    expect((await browser.send('/account/password', changed)).status).toBe(303)
    const hanna = open()
    const { pathname, search } = new URL(link)
    const page = await (await hanna.get(pathname + search)).text()
    for (const shown of ['mallory', 'An application', 'a shed', objective?.displayId ?? '?']) {
      expect(page).toContain(shown)
    }
    const secret = new URL(link).searchParams.get('token') ?? ''
    const reset = await hanna.send('/reset', { token: secret, password: 'another quiet phrase' })
    expect(reset.headers.get('location')).toBe('/')
    expect((await hanna.get('/account')).status).toBe(200)

    expect((await browser.get('/account')).status).toBe(303)
    await expect(taken.call('getMe', {})).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(authenticate(domain, application, 'mcp')).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    const again = open()
    const claims = { sub: 'mallory', email: 'mallory@elsewhere.example' }
    expect((await comeBack(place, again, await leave(again), { claims })).status).toBe(403)
    const old = { email, password: 'a third quiet phrase' }
    expect((await again.send('/signin', old)).status).toBe(403)
    const { entries } = await world.carla.call('listAudit', { limit: 20 })
    expect(entries).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ action: 'password.reset', targetId: userId }),
        expect.objectContaining({ action: 'access.ended', targetId: userId }),
      ]),
    )
  })

  test('stays with whoever made it, without the address, once its owner comes by a provider', async ({
    place,
  }) => {
    const { world, browser: open } = place
    const { email, browser, userId, token } = await takeAddress(place, 'ines')
    await linkOwn(place, browser, 'mallory-2')
    const ines = open()
    const asked = await arrive(place, ines, 'ines')
    expect([asked.status, await asked.text()]).toEqual([
      200,
      expect.stringContaining('Is this account yours?'),
    ])
    expect((await ines.get('/account')).status).toBe(303)
    expect((await ines.send(goOn, {})).headers.get('location')).toBe('/')
    const account = await (await ines.get('/account')).text()
    expect(account).toContain(email)
    expect(account).not.toContain('Elsewhere')
    // it was good once
    expect((await ines.send(goOn, {})).status).toBe(403)

    const { rows } = await sql<{ id: string; email: string; identities: string[]; in: string[] }>`
      select u.id, u.email,
             array(select subject from user_identities where user_id = u.id) as identities,
             array(select w.slug from memberships m join workspaces w on w.id = m.workspace_id
                    where m.user_id = u.id) as in
        from users u where u.id = ${userId} or u.email = ${email} order by u.id`.execute(
      world.domain.db,
    )
    const [before, own] = rows
    expect(before).toMatchObject({ id: userId, identities: ['mallory-2'], in: ['elsewhere'] })
    expect(own).toMatchObject({ email, identities: ['real-ines'], in: ['here'] })
    expect(before?.email).toMatch(/^[\w-]+@no-address\.invalid$/)
    const { user } = await personWith(world.domain, token).call('getMe', {})
    expect(user).toMatchObject({ id: userId, email: before?.email })

    // it says by what it signs in from now on, and does
    const still = await (await browser.get('/account')).text()
    expect(still).toContain(`<code>${before?.email}</code>`)
    const named = open()
    const given = { email: before?.email ?? '', password }
    expect((await named.send('/signin', given)).headers.get('location')).toBe('/')
    expect((await named.send('/signin', { email, password })).status).toBe(403)
    const { entries } = await world.carla.call('listAudit', { action: 'email.released' })
    expect(entries).toMatchObject([
      { actor: null, targetId: userId, details: { name: 'Not ines', email, provider: 'made' } },
    ])
    // the other account is of another workspace
    expect(JSON.stringify(entries)).not.toContain(own?.id)
  })

  test('gives its address to one account, however often its owner comes at once', async ({
    place,
  }) => {
    const { world, browser: open } = place
    const { email } = await takeAddress(place, 'jana')
    const browsers = [open(), open(), open()]
    for (const browser of browsers) await arrive(place, browser, 'jana')
    const answers = await Promise.all(browsers.map((browser) => browser.send(goOn, {})))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
    const { rows } = await sql<{ people: number; stripped: number; identities: number }>`
      select (select count(*)::int from users where lower(email) = ${email}) people,
             (select count(*)::int from users where name = 'Not jana' and email like '%.invalid') stripped,
             (select count(*)::int from user_identities where subject = 'real-jana') identities`.execute(
      world.domain.db,
    )
    expect(rows).toEqual([{ people: 1, stripped: 1, identities: 1 }])
  })

  test('is its owner’s own where they sign in to it and link their account', async ({ place }) => {
    const { email, browser, userId } = await takeAddress(place, 'kira')
    const other = place.browser()
    expect((await arrive(place, other, 'kira')).status).toBe(200)
    const claims = { email, email_verified: true }
    expect((await linkOwn(place, browser, 'real-kira', claims)).status).toBe(303)
    // the page that was open leads to it, and takes nothing from it
    expect((await other.send(goOn, {})).status).toBe(303)
    expect(await (await other.get('/account')).text()).toContain(email)
    // from now on the address is proven, and no other account at the provider takes it
    const another = place.browser()
    const said = { claims: { sub: 'another-kira', email } }
    const refused = await comeBack(place, another, await leave(another), said)
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('has this e-mail address already'),
    ])
    const proven = await place.world.domain.db
      .selectFrom('users')
      .select('email_proven_at')
      .where('id', '=', userId)
      .executeTakeFirst()
    expect(proven?.email_proven_at).toBeInstanceOf(Date)
  })

  test('keeps its address once its owner has used a reset link of the operator', async ({
    place,
  }) => {
    const { world, browser: open, baseUrl } = place
    const { email, userId } = await takeAddress(place, 'mona')
    const { link } = await createResetLinkOnServer(world.domain, { email, baseUrl })
    const mona = open()
    const token = new URL(link).searchParams.get('token') ?? ''
    const before = open()
    expect((await arrive(place, before, 'mona')).status).toBe(200)
    await mona.send('/reset', { token, password: 'another quiet phrase' })
    // neither the page that was open nor another one takes it
    expect((await before.send(goOn, {})).status).toBe(403)
    const refused = await arrive(place, open(), 'mona')
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('Sign in as that person first, then link the account at made'),
    ])
    const claims = { email, email_verified: true }
    expect((await linkOwn(place, mona, 'real-mona', claims)).status).toBe(303)
    const later = open()
    expect((await arrive(place, later, 'mona')).status).toBe(303)
    const { rows } = await sql`
      select id from users where lower(email) = ${email}`.execute(world.domain.db)
    expect(rows).toEqual([{ id: userId }])
  })

  test('proves no address by a reset link of its own workspace’s admin', async ({ place }) => {
    const { world, browser: open } = place
    const { userId } = await takeAddress(place, 'nele')
    const { link } = await world.carla.call('createResetLink', { id: userId })
    const token = new URL(link).searchParams.get('token') ?? ''
    const sent = await open().send('/reset', { token, password: 'another quiet phrase' })
    expect(sent.status).toBe(303)
    const asked = await arrive(place, open(), 'nele')
    expect([asked.status, await asked.text()]).toEqual([
      200,
      expect.stringContaining('Is this account yours?'),
    ])
  })

  test('loses the link to a new password that was asked for its address', async ({ place }) => {
    const { world, browser: open, baseUrl } = place
    const { email } = await takeAddress(place, 'lena')
    const { link } = await createResetLinkOnServer(world.domain, { email, baseUrl })
    const lena = open()
    await arrive(place, lena, 'lena')
    await lena.send(goOn, {})
    const { pathname, search } = new URL(link)
    expect((await open().get(pathname + search)).status).toBe(404)
  })
})

test('with passwords turned off, a reset leaves a way to link an account at a provider', async () => {
  await using place = await openOpenIdPlace({ SVC_PASSWORD_LOGIN: 'off' })
  const { world, browser: open, baseUrl } = place
  const { domain } = world
  const { userId } = await world.bob.actor()
  await domain.db
    .insertInto('user_identities')
    .values({ issuer: place.maker.issuer, subject: 'not-bobs', user_id: userId })
    .execute()
  const email = 'bob@example.com'
  const { link } = await createResetLinkOnServer(domain, { email, baseUrl })
  const bob = open()
  const { pathname, search, searchParams } = new URL(link)
  const page = await (await bob.get(pathname + search)).text()
  expect(page).not.toContain('type="password"')
  expect(page).toContain('not-bobs')
  const sent = await bob.send('/reset', { token: searchParams.get('token') ?? '' })
  expect(sent.headers.get('location')).toBe('/openid')
  expect((await linkOwn(place, bob, 'bobs-own')).headers.get('location')).toBe('/openid')
  const later = open()
  const claims = { sub: 'bobs-own', email: 'bob@elsewhere.example' }
  expect((await comeBack(place, later, await leave(later), { claims })).status).toBe(303)
  expect(await (await later.get('/account')).text()).toContain(email)
  const stranger = open()
  const his = { sub: 'not-bobs', email: 'x@elsewhere.example' }
  expect((await comeBack(place, stranger, await leave(stranger), { claims: his })).status).toBe(403)
})

test('with passwords turned off, an invitation leads somebody new to link an account at a provider', async () => {
  await using place = await openOpenIdPlace({ SVC_PASSWORD_LOGIN: 'off' })
  const { world, browser: open } = place
  const email = 'nora@elsewhere.example'
  const { link } = await world.alice.call('createInvitation', { email, role: 'member' })
  const nora = open()
  const { pathname, search, searchParams } = new URL(link)
  const page = await (await nora.get(pathname + search)).text()
  expect(page).not.toContain('type="password"')
  expect(page).toContain('link an account at a provider')
  const token = searchParams.get('token') ?? ''
  const joined = await nora.send('/invite', { token, name: 'Nora' })
  expect([joined.status, joined.headers.get('location')]).toEqual([303, '/openid'])
  expect((await linkOwn(place, nora, 'noras-own')).headers.get('location')).toBe('/openid')
  const later = open()
  const claims = { sub: 'noras-own', email }
  expect((await comeBack(place, later, await leave(later), { claims })).status).toBe(303)
  const account = await (await later.get('/account')).text()
  expect([account.includes('Nora'), account.includes('Here')]).toEqual([true, true])
  const { rows } = await sql`
    select from user_passwords p join users u on u.id = p.user_id where u.email = ${email}`.execute(
    world.domain.db,
  )
  expect(rows).toEqual([])
})
