import { randomBytes } from 'node:crypto'
import { inTransaction } from '@svc/domain/commit/transaction'
import { hashPassword } from '@svc/domain/people/hash-password'
import { storePassword } from '@svc/domain/people/passwords'
import { signedIn } from '@svc/domain/testing/signed-in'
import { describe, expect, test as base } from 'vitest'
import type { Browser } from '../testing/browser.ts'
import { type ProviderReply, comeBack, leave } from '../testing/come-back.ts'
import { type OpenIdPlace, openOpenIdPlace } from '../testing/openid-place.ts'
import { signInThere } from '../testing/real-provider.ts'
import { foreignTargets } from '../testing/return-targets.ts'

// oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
const test = base.extend('place', { scope: 'file' }, async ({}, { onCleanup }) => {
  const place = await openOpenIdPlace()
  onCleanup(() => place[Symbol.asyncDispose]())
  return place
})

/** The form token of the page's last form, which links an account at the provider `made`. */
async function linkToken(browser: Browser): Promise<string> {
  return (await browser.formTokens('/openid')).at(-1) ?? ''
}

async function asAlice({ world, baseUrl }: OpenIdPlace, browser: Browser): Promise<void> {
  const { userId } = await world.alice.actor()
  browser.give((await signedIn(world.domain, { userId, baseUrl }))['cookie'] ?? '')
}

describe('somebody who comes by a provider', () => {
  test('is a new person of a listed domain the first time, and the same one from then on', async ({
    place,
  }) => {
    const { world, counts, browser: open } = place
    const before = await counts()
    const page = await (await open().get('/signin?next=%2Fhello')).text()
    expect(page).toContain('href="/openid/real?next=%2Fhello"')
    for (const _ of [1, 2]) {
      const browser = open()
      const left = await browser.get('/openid/real?next=%2Fhello')
      const back = await signInThere(browser, left.headers.get('location') ?? '', 'rita')
      const answer = await browser.get(back)
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/hello'])
      expect(await (await browser.get('/account')).text()).toContain('rita@example.com')
      // it was good once
      expect((await browser.get(back)).status).toBe(403)
    }
    const { people, identities } = await counts()
    expect([people, identities]).toEqual([before.people + 1, before.identities + 1])
    const recorded = async (action: 'identity.linked' | 'member.joined') =>
      (await world.alice.call('listAudit', { action })).entries
    expect(await recorded('identity.linked')).toMatchObject([
      { actor: { name: 'rita' }, details: { provider: 'real', subject: 'rita' } },
    ])
    expect(await recorded('member.joined')).toMatchObject([
      { actor: { name: 'rita' }, details: { role: 'viewer', provider: 'real' } },
    ])
  })

  test('is redirected to no other host by where they wanted to go', async ({ place }) => {
    const { db } = place.world.domain
    await db.deleteFrom('openid_requests').execute()
    for (const next of foreignTargets) {
      await place.browser().get(`/openid/made?${new URLSearchParams({ next }).toString()}`)
    }
    const kept = await db.selectFrom('openid_requests').select('next').execute()
    expect(kept).toEqual(foreignTargets.map(() => ({ next: '/' })))
  })

  test('is asked for a code with PKCE, state and nonce, none of which gives away another', async ({
    place: { browser, baseUrl, maker },
  }) => {
    const asked = await leave(browser())
    expect(asked.href).toContain(`${maker.issuer}/authorize?`)
    const {
      state,
      nonce,
      code_challenge: challenge,
      ...sent
    } = Object.fromEntries(asked.searchParams)
    expect(sent).toEqual({
      response_type: 'code',
      client_id: 'svc',
      redirect_uri: `${baseUrl}/openid/made/callback`,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    })
    expect(new Set([state, nonce, challenge]).size).toBe(3)
  })

  test('is refused in another browser, with another state, and ten minutes later', async ({
    place,
  }) => {
    const { browser: open, world, counts } = place
    const before = await counts()
    const mine = open()
    const asked = await leave(mine)
    expect((await comeBack(place, open(), asked)).status).toBe(403)
    const query = { state: 'x'.repeat(43) }
    expect((await comeBack(place, mine, asked, { query })).status).toBe(403)
    const late = await leave(mine)
    await world.advance(601)
    expect((await comeBack(place, mine, late)).status).toBe(403)
    expect(await counts()).toEqual(before)
  })
})

const otherwise: readonly (readonly [string, ProviderReply])[] = [
  ['for another client', { claims: { aud: 'another' } }],
  ['for others as well as for us, by one of them', { claims: { aud: ['svc', 'x'], azp: 'x' } }],
  ['for nobody', { claims: { aud: [] } }],
  ['without an audience', { claims: { aud: undefined } }],
  ['with another nonce', { claims: { nonce: 'x' } }],
  ['without a nonce', { claims: { nonce: undefined } }],
  ['of another issuer', { claims: { iss: 'https://id.example' } }],
  ['without an issuer', { claims: { iss: undefined } }],
  ['that has ended', { claims: { exp: 1 } }],
  ['without an end', { claims: { exp: undefined } }],
  ['that is not good yet', { claims: { nbf: 2 ** 40 } }],
  ['without a time', { claims: { iat: undefined } }],
  ['of no subject', { claims: { sub: undefined } }],
  ['of an empty subject', { claims: { sub: '' } }],
  ['of a subject that is a number', { claims: { sub: 7 } }],
  ['of a subject that no row can hold', { claims: { sub: 'a\u0000b' } }],
  ['of a subject that no row distinguishes from others', { claims: { sub: 'a\uD800b' } }],
  ['of a subject that no index can hold', { claims: { sub: randomBytes(8_000).toString('hex') } }],
  ['that another key signed', { by: 'another key' }],
  ['that nothing signed', { by: 'nothing' }],
  ['that the public key signed as a secret', { by: 'the public key as a secret' }],
  ['whose signature is broken', { by: 'a broken signature' }],
  ['by a key that is not listed', { kid: 'unlisted' }],
  ['of an address that is not verified', { claims: { email_verified: false } }],
  ['of an address that is verified in words', { claims: { email_verified: 'true' } }],
  ['of an address of which nothing is said', { claims: { email_verified: undefined } }],
  ['without an address', { claims: { email: undefined } }],
  [
    'of an address that is in the answer, too, and is not verified there',
    {
      claims: { email: undefined, email_verified: true },
      more: { sub: 'mallory', email: 'mallory@example.com' },
    },
  ],
  ['of an address elsewhere', { claims: { email: 'mallory@example.org' } }],
  ['of an address below a listed domain', { claims: { email: 'mallory@evil.example.com' } }],
  ['of two addresses', { claims: { email: 'a@evil.example@example.com' } }],
  ['of the address of somebody who has proven it', { claims: { email: 'rita@example.com' } }],
  ['of that address in capitals', { claims: { email: 'RITA@EXAMPLE.COM' } }],
  [
    'of whom another provider knows by the same subject',
    { claims: { sub: 'rita', email: 'rita@example.org' } },
  ],
  ['that did not come', { answer: { access_token: 'x', token_type: 'Bearer' } }],
  ['that is none', { answer: { access_token: 'x', token_type: 'Bearer', id_token: 'x' } }],
  ['after an answer in the name of another issuer', { query: { iss: 'https://id.example' } }],
  ['after a refusal', { query: { error: 'access_denied' } }],
]

describe('a provider that lies', () => {
  test('brings nobody in', async ({ place }) => {
    const { browser: open, counts, world } = place
    const rita = open()
    const left = await rita.get('/openid/real')
    await rita.get(await signInThere(rita, left.headers.get('location') ?? '', 'rita'))
    const before = await counts()
    const answers: unknown[] = []
    for (const [what, reply] of otherwise) {
      const browser = open()
      const { status } = await comeBack(place, browser, await leave(browser), reply)
      answers.push([what, status])
    }
    expect(answers).toEqual(otherwise.map(([what]) => [what, 403]))
    expect(await counts()).toEqual(before)

    // the same is good where nothing of it is wrong
    const browser = open()
    expect((await comeBack(place, browser, await leave(browser))).status).toBe(303)
    expect((await counts()).identities).toBe(before.identities + 1)
    expect((await world.alice.call('listAudit', { limit: 1 })).entries).toMatchObject([
      { action: 'sign_in.started', details: { by: 'made' } },
    ])
  })
})

describe('somebody who is signed in', () => {
  test('links an account there to themselves, from the page alone, and signs in by it', async ({
    place,
  }) => {
    const { browser: open } = place
    const claims = { sub: 'a-lias', email: 'elsewhere@example.net' }
    const alice = open()
    await asAlice(place, alice)
    expect((await alice.send('/openid/made', {})).status).toBe(403)
    const form_token = await linkToken(alice)
    const asked = await leave(alice, 'made', { form_token })
    const linked = await comeBack(place, alice, asked, { claims })
    expect(linked.headers.get('location')).toBe('/openid')
    expect(await (await alice.get('/openid')).text()).toContain('<strong>made</strong>')

    const browser = open()
    await comeBack(place, browser, await leave(browser), { claims })
    expect(await (await browser.get('/account')).text()).toContain('alice@example.com')
  })

  test('does not link what was begun as somebody else, nor what is somebody else’s', async ({
    place,
  }) => {
    const { browser: open, world, counts } = place
    const alice = open()
    await asAlice(place, alice)
    const form_token = await linkToken(alice)
    const before = await counts()
    const asked = await leave(alice, 'made', { form_token })
    const { userId } = await world.bob.actor()
    const { baseUrl } = place
    alice.give((await signedIn(world.domain, { userId, baseUrl }))['cookie'] ?? '')
    const claims = { sub: 'not-bobs' }
    expect((await comeBack(place, alice, asked, { claims })).status).toBe(403)

    const ofBob = await linkToken(alice)
    const taken = await leave(alice, 'made', { form_token: ofBob })
    const ofAlice = { sub: 'a-lias' }
    expect((await comeBack(place, alice, taken, { claims: ofAlice })).status).toBe(403)
    expect((await counts()).identities).toBe(before.identities)
  })
})

describe('an account that is linked', () => {
  /** Somebody new who signs in by it alone. */
  async function withAccount(place: OpenIdPlace, sub: string) {
    const browser = place.browser()
    const claims = { sub, email: `${sub}@example.com` }
    await comeBack(place, browser, await leave(browser), { claims })
    const { id } = await place.world.domain.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', claims.email)
      .executeTakeFirstOrThrow()
    const headers = await signedIn(place.world.domain, { userId: id, baseUrl: place.baseUrl })
    const ask = async (method: string, path = '') =>
      fetch(`${place.baseUrl}/api/me/identities${path}`, { method, headers })
    const list = async () => {
      const { identities } = (await (await ask('GET')).json()) as { identities: { id: string }[] }
      return identities
    }
    return { browser, claims, userId: id, headers, ask, list }
  }

  test('is unlinked from the page, with every other browser signed out, once there is another way in', async ({
    place,
  }) => {
    const { world, browser: open } = place
    const { browser, claims, userId, headers, ask } = await withAccount(place, 'uma')
    const page = await (await browser.get('/openid')).text()
    const [, id = ''] = /name="id" value="([^"]+)"/.exec(page) ?? []
    const [form_token = ''] = await browser.formTokens('/openid')
    const fields = { id, form_token }
    const refused = await browser.send('/account/identities/unlink', fields)
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('You sign in by this account alone'),
    ])
    expect((await ask('GET')).status).toBe(200)

    const hash = await hashPassword('four quiet words here')
    await inTransaction(world, (tx) => storePassword(tx, userId, hash))
    const answer = await browser.send('/account/identities/unlink', fields)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/openid?done=unlinked'])
    const after = await (await browser.get('/openid?done=unlinked')).text()
    expect(after).toContain('That account is unlinked')
    expect(after).toContain('None is linked yet')
    expect((await fetch(`${place.baseUrl}/api/me/sessions`, { headers })).status).toBe(401)
    const again = open()
    expect((await comeBack(place, again, await leave(again), { claims })).status).toBe(403)
    const { entries } = await world.alice.call('listAudit', { action: 'identity.unlinked' })
    expect(entries).toMatchObject([{ actor: { id: userId }, details: { subject: 'uma' } }])
  })

  test('stays with whoever has it last, however many are unlinked at once', async ({ place }) => {
    const { ask, list, userId } = await withAccount(place, 'vito')
    const others = ['vito-2', 'vito-3'].map((subject) => ({
      issuer: place.maker.issuer,
      subject,
      user_id: userId,
    }))
    await place.world.domain.db.insertInto('user_identities').values(others).execute()
    const ids = (await list()).map(({ id }) => id)
    const answers = await Promise.all(ids.map((id) => ask('DELETE', `/${id}`)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 204, 403])
    expect(await list()).toHaveLength(1)
  })

  test('is nobody else’s to unlink, and may go where its provider lets nobody in any more', async ({
    place,
  }) => {
    const { ask, list, userId } = await withAccount(place, 'wanda')
    const other = await withAccount(place, 'xaver')
    const [own] = await list()
    expect((await other.ask('DELETE', `/${own?.id}`)).status).toBe(404)
    const former = { issuer: 'https://former.example', subject: 'wanda', user_id: userId }
    await place.world.domain.db.insertInto('user_identities').values(former).execute()
    expect((await ask('DELETE', `/${own?.id}`)).status).toBe(403)
    const left = (await list()).find(({ id }) => id !== own?.id)
    expect((await ask('DELETE', `/${left?.id}`)).status).toBe(204)
  })
})

test('with passwords turned off, providers alone let people in', async () => {
  await using place = await openOpenIdPlace({ SVC_PASSWORD_LOGIN: 'off' })
  const browser = place.browser()
  const page = await (await browser.get('/signin')).text()
  expect(page).not.toContain('type="password"')
  const given = { email: 'alice@example.com', password: 'four quiet words here' }
  const refused = await browser.send('/signin', given)
  expect([refused.status, await refused.text()]).toEqual([
    403,
    expect.stringContaining('Passwords are turned off here'),
  ])
  expect((await comeBack(place, browser, await leave(browser))).status).toBe(303)
})
