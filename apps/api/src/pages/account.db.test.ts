import { randomUUID } from 'node:crypto'
import { authenticate } from '@svc/domain/access/authenticate'
import { inTransaction } from '@svc/domain/commit/transaction'
import { hashPassword } from '@svc/domain/people/hash-password'
import { storePassword } from '@svc/domain/people/passwords'
import { browse } from '@svc/testing/fetch-pages'
import { tokenFromOAuth } from '@svc/domain/testing/granted'
import { highLimits } from '@svc/testing/high-limits'
import { countBlocked } from '@svc/testing/locks'
import { signedIn } from '@svc/domain/testing/signed-in'
import { verifies } from '@svc/testing/verifies'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { testAt } from '../testing/place.ts'
import { pagePaths } from './paths.ts'

const account = pagePaths.account

const test = testAt(async ({ world, baseUrl }) => {
  /** Somebody new, and a browser of theirs. */
  const somebody = async () => {
    const person = await world.person('member')
    const open = async (agent?: string) => {
      const browser = agent === undefined ? {} : { browser: agent }
      const headers = await signedIn(world.domain, { userId: person.userId, baseUrl, ...browser })
      return browse(baseUrl, headers)
    }
    return { person, browser: await open(), open }
  }
  const read = async (browser: Awaited<ReturnType<typeof somebody>>['browser'], query = '') =>
    (await browser.get(account + query)).text()
  const me = (token: string) =>
    fetch(`${baseUrl}/api/me`, { headers: { authorization: `Bearer ${token}` } })
  return { world, baseUrl, somebody, read, me }
}, highLimits)

/** The id that stands in the form behind that text. */
function idBehind(page: string, text: string): string {
  return /name="id"\s+value="([^"]+)"/.exec(page.slice(page.indexOf(text)))?.[1] ?? ''
}

describe('the account page', () => {
  test(
    verifies('auth.mint-settings', 'makes a token, shows it once, and ends it'),
    async ({ place: { world, somebody, read, me } }) => {
      const { browser } = await somebody()
      const workspace = world.workspaceId
      const fields = {
        workspace,
        key: randomUUID(),
        label: 'from the page',
        preset: 'read_only',
        days: '7',
      }
      const made = await browser.submit(account, pagePaths.createToken, fields)
      expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store'])
      const [token = ''] = /svcut_[0-9A-Za-z]{49}/.exec(await made.text()) ?? []
      expect(await (await me(token)).json()).toMatchObject({
        token: { label: 'from the page', preset: 'read_only' },
      })

      const again = await browser.submit(account, pagePaths.createToken, fields)
      expect(await again.text()).toContain(token)
      const page = await read(browser)
      expect(page.split('from the page').length - 1).toBe(2)
      expect(page).not.toContain(token)

      const revoked = { workspace, id: idBehind(page, 'from the page') }
      await browser.submit(account, pagePaths.revokeToken, revoked)
      expect((await me(token)).status).toBe(401)
      expect(await read(browser)).not.toContain('from the page')
    },
  )

  test('makes none of more than a year, and none without a name', async ({
    place: { world, somebody, read },
  }) => {
    const { browser } = await somebody()
    const fields = { workspace: world.workspaceId, key: randomUUID(), label: 'bad', preset: 'full' }
    for (const wrong of [
      { days: '367' },
      { days: 'x' },
      { days: '1', label: ' ' },
      { days: '1', preset: 'root' },
    ]) {
      const answer = await browser.submit(account, pagePaths.createToken, { ...fields, ...wrong })
      expect(answer.status).toBe(400)
    }
    expect(await read(browser)).not.toContain('>bad<')
  })

  test('leads back to a form that will not do', async ({ place: { world, baseUrl, somebody } }) => {
    const { browser } = await somebody()
    const fields = { workspace: world.workspaceId, key: randomUUID(), label: 'bad', preset: 'full' }
    const from = async (referer: string) => {
      const wrong = { ...fields, days: '367' }
      const answer = await browser.submit(account, pagePaths.createToken, wrong, { referer })
      return answer.text()
    }
    const here = `${account}?workspace=${world.workspaceId}`
    expect(await from(baseUrl + here)).toContain(`<a href="${here}">Back to the form</a>`)
    expect(await from('https://elsewhere.example/account')).not.toContain('Back to the form')
  })

  test('ends one browser, or all of them', async ({ place: { somebody, read } }) => {
    const { browser, open } = await somebody()
    const phone = await open('Mozilla/5.0 (iPhone) Version/18.0 Mobile Safari/604.1')
    const page = await read(browser)
    const answer = await browser.submit(account, pagePaths.endSession, {
      id: idBehind(page, 'Safari on iOS'),
    })
    expect(answer.headers.get('location')).toBe('/account?done=session')
    expect((await phone.get(account)).status).toBe(303)
    expect((await browser.get(account)).status).toBe(200)

    const all = await browser.submit(pagePaths.endSessions, pagePaths.endSessions, {})
    expect(all.headers.get('location')).toBe('/signin')
    expect((await browser.get(account)).status).toBe(303)
  })

  test(
    'changes the password, and signs every other browser out',
    { tags: 'large' },
    async ({ place: { world, somebody, read } }) => {
      const { person, browser, open } = await somebody()
      const other = await open()
      const currentPassword = 'the one from before'
      const hash = await hashPassword(currentPassword)
      await inTransaction({ domain: world.domain }, (tx) => storePassword(tx, person.userId, hash))
      const change = (fields: Record<string, string>) =>
        browser.submit(account, pagePaths.changePassword, fields)

      const newPassword = 'quite another phrase'
      expect((await change({ currentPassword: 'not the one it is', newPassword })).status).toBe(403)
      expect((await change({ currentPassword, newPassword: 'too short' })).status).toBe(400)
      expect((await other.get(account)).status).toBe(200)
      await person.call('revokeCurrentUserToken', {})
      const changed = await change({ currentPassword, newPassword })
      expect(changed.headers.get('location')).toBe('/account?done=password')
      expect((await other.get(account)).status).toBe(303)
      expect(await read(browser, '?done=password')).toContain('Your password is changed')
    },
  )

  test(
    'is shown what acts for them besides browsers, and ends it by one button',
    { tags: 'large' },
    async ({ place: { world, somebody, read } }) => {
      const { person, browser, open } = await somebody()
      const other = await open()
      const { actor } = await person.withPreset('full')
      const application = await tokenFromOAuth(world.domain, await actor())
      const { project, mission } = await world.missionWith(['Plan.'])
      const runner = await world.connectedRunner(project, { owner: person, label: 'a quiet shed' })
      await person.launch(mission.objectives[0])
      await runner.take()

      const currentPassword = 'the one from before'
      const hash = await hashPassword(currentPassword)
      await inTransaction({ domain: world.domain }, (tx) => storePassword(tx, person.userId, hash))
      const newPassword = 'quite another phrase'
      const fields = { currentPassword, newPassword }
      const changed = await browser.submit(account, pagePaths.changePassword, fields)
      const shownAt = '/account/access?done=password'
      expect(changed.headers.get('location')).toBe(shownAt)
      const expected = ['a quiet shed', 'An application', mission.objectives[0].displayId]
      for (const path of [shownAt, pagePaths.endSessions]) {
        const page = await (await browser.get(path)).text()
        expect(expected.filter((one) => !page.includes(one))).toEqual([])
      }
      const all = await other.get(account)
      expect(all.status).toBe(303)
      // neither the new password nor looking has ended anything
      expect((await actor()).userId).toBe(person.userId)

      const ended = await browser.submit(shownAt, pagePaths.endAccess, {})
      expect(ended.headers.get('location')).toBe('/account?done=access')
      expect(await read(browser, '?done=access')).toContain('has ended')
      const gone = { code: 'unauthenticated' }
      await expect(actor()).rejects.toMatchObject(gone)
      await expect(authenticate(world.domain, application, 'mcp')).rejects.toMatchObject(gone)
      await expect(runner.claim()).rejects.toMatchObject(gone)
    },
  )

  test('signs out everywhere and leaves what is no browser', async ({ place: { somebody } }) => {
    const { person, browser } = await somebody()
    const minted = await person.withPreset('full')
    const path = pagePaths.endSessions
    expect((await browser.submit(path, path, {})).headers.get('location')).toBe('/signin')
    expect((await minted.actor()).userId).toBe(person.userId)
  })

  test('lists connected applications apart, and ends what they may', async ({
    place: { world, somebody, read, me },
  }) => {
    const { person, browser } = await somebody()
    const { token, credential } = { token: person.token, ...(await person.actor()) }
    await sql`update user_tokens set kind = 'oauth', label = 'Some <b>client</b>'
               where id = ${credential.id}`.execute(world.domain.db)
    const page = await read(browser)
    expect(page.indexOf('Some &lt;b&gt;client')).toBeGreaterThan(
      page.indexOf('Connected applications'),
    )
    const id = idBehind(page, 'Some &lt;b&gt;client')
    await browser.submit(account, pagePaths.revokeToken, { workspace: world.workspaceId, id })
    expect((await me(token)).status).toBe(401)
    expect(await read(browser)).toContain('No application acts for you')
  })

  test('shows the tokens of the workspace that is chosen', async ({
    place: { world, somebody, read },
  }) => {
    const { person, browser } = await somebody()
    expect(await read(browser)).not.toContain('Show its tokens')
    const { workspaceId } = await world.carla.actor()
    await sql`insert into memberships (workspace_id, user_id, role)
              values (${workspaceId}, ${person.userId}, 'viewer')`.execute(world.domain.db)
    const page = await read(browser, `?workspace=${workspaceId}`)
    // and the page of each leads back to it
    const { workspace } = await world.carla.call('getWorkspace', {})
    expect(page).toContain(`href="/w/${workspace.slug}"`)
    expect(page).toContain('Show its tokens')
    expect(page).toMatch(/Tokens in Elsewhere/i)
    expect(await read(browser, '?workspace=none-of-mine')).toMatch(/Tokens in/)
  })

  test('leads whoever is signed out while a form of theirs is carried out to signing in', async ({
    place: { world, somebody },
  }) => {
    const { db } = world.domain
    const { person, browser } = await somebody()
    const fields = { key: randomUUID(), label: 'too late', preset: 'read_only', days: '7' }
    const { sent } = await db.transaction().execute(async (tx) => {
      await sql`update sign_ins set ended_at = app.now() where user_id = ${person.userId}`.execute(
        tx,
      )
      const sent = browser.submit(account, pagePaths.createToken, {
        workspace: world.workspaceId,
        ...fields,
      })
      await expect.poll(() => countBlocked(db)).toBe(1)
      return { sent }
    })
    const answer = await sent
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/signin?next=%2F'])
  })

  test('takes no form that was shown to another browser of the same person', async ({
    place: { world, somebody },
  }) => {
    const { person, browser, open } = await somebody()
    await open()
    const headers = await signedIn(world.domain, {
      userId: person.userId,
      baseUrl: new URL((await browser.get(account)).url).origin,
    })
    const answer = await browser.submit(pagePaths.endSessions, pagePaths.endSessions, {}, headers)
    expect(answer.status).toBe(403)
  })

  test('is opened by no token', async ({ place: { somebody } }) => {
    const { person, browser } = await somebody()
    const { url } = await browser.get(account)
    const headers = { authorization: `Bearer ${person.token}` }
    const answer = await fetch(url, { headers, redirect: 'manual' })
    expect(answer.headers.get('location')).toBe('/signin?next=%2Faccount')
  })

  test('says to whoever is in no workspace what to do', async ({
    place: { world, somebody, read },
  }) => {
    const { person, browser } = await somebody()
    await sql`delete from memberships where user_id = ${person.userId}`.execute(world.domain.db)
    expect(await read(browser)).toContain('Ask an admin for an invitation.')
  })
})
