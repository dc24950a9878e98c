import { hash, randomBytes } from 'node:crypto'
import { openPlaceOn } from '@svc/api/testing/serve-api'
import { createClient } from '@svc/client/client'
import type { LoginRequest } from '@svc/contracts/login-request'
import { inTransaction } from '@svc/domain/commit/transaction'
import { hashPassword } from '@svc/domain/people/hash-password'
import { storePassword } from '@svc/domain/people/passwords'
import { openSetUp, setUpPath } from '@svc/domain/people/set-up'
import type { Tx } from '@svc/db/database'
import { highLimits } from '@svc/testing/high-limits'
import type { World } from '@svc/domain/testing/open-world'
import { signedIn } from '@svc/domain/testing/signed-in'
import type { Browser, BrowserContext } from 'playwright-core'

export const password = 'four quiet words here'

/** The API, with somebody in it whom its pages are shown to. */
export interface PageScene extends AsyncDisposable {
  readonly world: World
  readonly baseUrl: string
  readonly email: string
  /** A browser window of that person, who is signed in or is not. */
  window: (browser: Browser, isSignedIn: boolean) => Promise<BrowserContext>
  /** From here on that person has a password, and nobody's first. */
  usePassword: () => Promise<void>
  /** Where somebody comes by a link. */
  linkTo: Readonly<Record<'setUp' | 'invite' | 'reset', () => Promise<string>>>
  /** What `svc login` asks. */
  askLogin: () => Promise<LoginRequest & { poll: () => Promise<string> }>
  /** Where an application sends a person who is to let it in. */
  askAccess: () => Promise<string>
}

export async function openPages(
  connectionString: string,
  more?: Parameters<typeof openPlaceOn>[2],
): Promise<PageScene> {
  await using opened = new AsyncDisposableStack()
  const variables = {
    SVC_MCP_ENABLED: 'true',
    SVC_WEBHOOK_ALLOWED_HOSTS: '*@127.0.0.1',
    ...highLimits,
  }
  const { world, baseUrl } = opened.use(await openPlaceOn(connectionString, variables, more))
  const { userId } = await world.alice.actor()
  const inOne = <T>(work: (tx: Tx) => Promise<T>) => inTransaction({ domain: world.domain }, work)
  const setUp = (await inOne((tx) => openSetUp(tx, userId))) ?? ''
  const client = createClient({ baseUrl })
  const admin = createClient({ baseUrl, token: world.alice.token })
  const kept = opened.move()
  return {
    world,
    baseUrl,
    email: 'alice@example.com',
    async window(browser, isSignedIn) {
      if (!isSignedIn) return browser.newContext({ baseURL: baseUrl })
      return signedInWindow(browser, world, {
        userId,
        baseUrl,
        browser: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        from: '192.0.2.7',
      })
    },
    async usePassword() {
      const passwordHash = await hashPassword(password)
      await inOne((tx) => storePassword(tx, userId, passwordHash))
    },
    linkTo: {
      setUp: async () => setUpPath(setUp),
      invite: async () => (await admin.call('createInvitation', { email: 'new@example.com' })).link,
      async reset() {
        const { userId: id } = await world.vera.actor()
        return (await admin.call('createResetLink', { id })).link
      },
    },
    async askAccess() {
      const redirect_uri = 'https://client.example/callback'
      const said = { client_name: 'A chat client', redirect_uris: [redirect_uri] }
      const answer = await fetch(`${baseUrl}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(said),
      })
      // what RFC 7591 says of it
      const { client_id } = (await answer.json()) as { client_id: string }
      const asked = new URLSearchParams({
        response_type: 'code',
        client_id,
        redirect_uri,
        code_challenge: hash('sha256', 'a verifier', 'base64url'),
        code_challenge_method: 'S256',
      })
      return `/oauth/authorize?${asked.toString()}`
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

type Browsing = Parameters<typeof signedIn>[1]

/** A browser window of somebody who is signed in. */
export async function signedInWindow(
  browser: Browser,
  place: Pick<World, 'domain'>,
  browsing: Browsing,
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: browsing.baseUrl })
  // as long as `expect.poll` waits
  context.setDefaultTimeout(120_000)
  await context.addCookies(await signInCookies(place, browsing))
  return context
}

/** What a browser of somebody who is signed in keeps. */
export async function signInCookies(
  { domain }: Pick<World, 'domain'>,
  browsing: Browsing,
): Promise<Parameters<BrowserContext['addCookies']>[0]> {
  const { cookie = '' } = await signedIn(domain, browsing)
  const [name = '', value = ''] = cookie.split('=')
  return [{ name, value, url: browsing.baseUrl, sameSite: 'Lax', httpOnly: true }]
}
