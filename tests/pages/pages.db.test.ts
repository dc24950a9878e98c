import { createApi } from '@svc/api/app'
import { createLog } from '@svc/process/log'
import { limiterOf, LimitsEnvironment } from '@svc/service/limits'
import { verifies } from '@svc/testing/verifies'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { describeReading, test } from './describe-reading.ts'
import { narrowest, shownPages } from './pages.ts'
import { password } from './scene.ts'

/** A form, a page of what is known, a decision, and nothing; tests/web/hostile.db.test.ts looks at each page of the web app. */
const few = shownPages.filter(({ name }) =>
  ['sign-in', 'account', 'oauth-approve', 'no-such-page'].includes(name),
)

/** HTML without a row of its address: what only leads on, any other path, and what a test of its own looks at. */
const seenElsewhere = ['/', '/*', '/api/docs', '/account/access', '/openid']

/** Addresses with a part that changes: the tests next to these pages look at them. */
const seenWithParts = [
  // files of the web app, and its document: app-pages.ts has a row for each page of it
  '/assets/:name',
  '/openid/:name',
  '/openid/:name/callback',
  '/w/:workspace',
  '/w/:workspace/*',
]

describe('every page', () => {
  describeReading(
    'dark, on the narrowest one',
    [{ colorScheme: 'dark', width: narrowest, axe: 'all' }],
    few,
  )

  test('has a row here, and says to browsers what they must not do with it', async ({ scene }) => {
    const { domain } = scene.world
    const { routes } = createApi({
      domain,
      log: createLog({ name: 'test', level: 'silent' }),
      limiter: limiterOf(LimitsEnvironment.parse({})),
      baseUrl: () => scene.baseUrl,
    })
    const pages = routes.filter(({ method, path }) => method === 'GET' && !path.startsWith('/api/'))
    const withParts = pages.filter(({ path }) => path.includes(':')).map(({ path }) => path)
    expect([...new Set(withParts)].toSorted()).toEqual(seenWithParts)
    const gets = routes.filter(({ method, path }) => method === 'GET' && !path.includes(':'))
    const seen: string[] = []
    for (const path of new Set(gets.map((route) => route.path))) {
      const answer = await fetch(scene.baseUrl + path, { headers: { accept: 'text/html' } })
      await answer.body?.cancel()
      const { headers } = answer
      if (!headers.get('content-type')?.startsWith('text/html')) continue
      seen.push(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect({ path, policy }).toMatchObject({
        policy: expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'/),
      })
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      // the description of the API is the one page that runs a script
      if (path === '/api/docs') continue
      expect(policy).not.toContain('script-src')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('cross-origin-opener-policy')).toBeNull()
    }
    expect(seen).toEqual(expect.arrayContaining(['/account', '/login/approve', '/signin']))
    const shown = new Set([...shownPages.map(({ at }) => at), ...seenElsewhere])
    expect(seen.filter((path) => !shown.has(path))).toEqual([])
  })
})

/** Goes on with the Tab key until that is reached, as somebody without a mouse does. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press('Tab')
    const [label, outline] = await page.evaluate<[string, string]>(`(() => {
      const it = document.activeElement
      const label = it.labels?.[0]?.textContent ?? it.textContent
      return [label.trim(), getComputedStyle(it).outlineStyle]
    })()`)
    if (!label.startsWith(name)) continue
    expect({ name, outline }).toEqual({ name, outline: 'solid' })
    return
  }
  throw new Error(`${name} is not reached by the Tab key`)
}

test(
  'a person without a mouse signs in and approves a command line',
  { tags: 'large' },
  async ({ scene, windowOf }) => {
    const asked = await scene.askLogin()
    const page = await windowOf(false)
    await page.goto(asked.address)
    await tabTo(page, 'E-mail address')
    await scene.usePassword()
    await page.keyboard.type(scene.email)
    await tabTo(page, 'Password')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByText(asked.code).waitFor()
    await tabTo(page, 'Workspace')
    await tabTo(page, 'Sign it in')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'It is signed in' }).waitFor()
    expect(await asked.poll()).toBe('approved')
  },
)

test(
  verifies('auth.mint-settings', 'a person makes a token at their account, and it reads a mission'),
  async ({ scene, windowOf }) => {
    const { mission } = await scene.world.missionWith(['a'])
    const page = await windowOf(true)
    await page.goto('/account')
    await page.getByLabel('What it is for').fill('laptop')
    await page.getByLabel('What it may do').selectOption('read_only')
    await page.getByRole('button', { name: 'Create a token' }).click()
    const shown = page.getByText(/^svcut_\w+$/)
    const authorization = `Bearer ${await shown.innerText()}`
    const address = `${scene.baseUrl}/api/missions/${mission.id}`
    const answer = await fetch(address, { headers: { authorization } })
    expect(await answer.json()).toMatchObject({ mission: { id: mission.id } })
  },
)

describe('a form in a real browser', () => {
  test('is sent with the origin of its page, and taken', async ({ scene, windowOf }) => {
    const asked = await scene.askLogin()
    const page = await windowOf(true)
    await page.goto(asked.address)
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await page.getByRole('button', { name: 'Deny' }).click()
    expect(await (await sent).headerValue('origin')).toBe(scene.baseUrl)
    await page.getByRole('heading', { name: 'Denied' }).waitFor()
    expect(await asked.poll()).toBe('denied')
  })

  test(
    'whose page hides where it came from says so, and is refused',
    { tags: 'large' },
    async ({ scene, windowOf }) => {
      const asked = await scene.askLogin()
      const page = await windowOf(true)
      await page.route('**/login/approve?*', async (route) => {
        const response = await route.fetch()
        const headers = { ...response.headers(), 'referrer-policy': 'no-referrer' }
        await route.fulfill({ response, headers })
      })
      await page.goto(asked.address)
      const sent = page.waitForRequest((request) => request.method() === 'POST')
      await page.getByRole('button', { name: 'Sign it in' }).click()
      expect(await (await sent).headerValue('origin')).toBe('null')
      await page.getByText('This was not sent from a page of').waitFor()
      expect(await asked.poll()).toBe('pending')
    },
  )
})
