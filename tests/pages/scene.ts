import { hash, randomBytes } from 'node:crypto'
import { ApiEnvironment } from '@svc/api/env'
import { openApi } from '@svc/api/server'
import { createClient } from '@svc/client/client'
import type { LoginRequest } from '@svc/contracts/login-request'
import { inTransaction } from '@svc/domain/commit/transaction'
import { hashPassword } from '@svc/domain/people/hash-password'
import { storePassword } from '@svc/domain/people/passwords'
import { createLog } from '@svc/process/log'
import { highLimits } from '@svc/testing/high-limits'
import { type World, openWorld } from '@svc/testing/open-world'
import { signedIn } from '@svc/testing/signed-in'
import type { Browser, BrowserContext } from 'playwright-core'

export const password = 'four quiet words here'

/** The API, with somebody in it whom its pages are shown to. */
export interface PageScene extends AsyncDisposable {
  readonly world: World
  readonly baseUrl: string
  readonly email: string
  /** A browser window of that person, who is signed in or is not. */
  window: (browser: Browser, isSignedIn: boolean) => Promise<BrowserContext>
  /** What `svc login` asks. */
  askLogin: () => Promise<LoginRequest & { poll: () => Promise<string> }>
}

export async function openPages(connectionString: string): Promise<PageScene> {
  await using opened = new AsyncDisposableStack()
  const world = opened.use(await openWorld(connectionString))
  const environment = ApiEnvironment.parse({
    DATABASE_URL: connectionString,
    SVC_PORT: '0',
    SVC_SECRET_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    SVC_DRAIN_SECONDS: '0',
    ...highLimits,
  })
  const log = createLog({ name: 'pages', level: 'silent' })
  const { baseUrl } = opened.use(await openApi({ environment, log }))
  const { userId } = await world.alice.actor()
  const passwordHash = await hashPassword(password)
  await inTransaction({ domain: world.domain }, (tx) => storePassword(tx, userId, passwordHash))
  const client = createClient({ baseUrl })
  const kept = opened.move()
  return {
    world,
    baseUrl,
    email: 'alice@example.com',
    async window(browser, isSignedIn) {
      const context = await browser.newContext({ baseURL: baseUrl })
      if (!isSignedIn) return context
      const { cookie = '' } = await signedIn(world.domain, {
        userId,
        baseUrl,
        browser: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        from: '192.0.2.7',
      })
      const [name = '', value = ''] = cookie.split('=')
      await context.addCookies([{ name, value, url: baseUrl, sameSite: 'Lax', httpOnly: true }])
      return context
    },
    async askLogin() {
      const verifier = randomBytes(32).toString('base64url')
      const challenge = hash('sha256', verifier, 'base64url')
      const request = await client.call('createLoginRequest', { challenge, device: 'laptop' })
      const poll = () => client.call('pollLoginRequest', { id: request.id, verifier })
      return { ...request, poll: async () => (await poll()).state }
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
