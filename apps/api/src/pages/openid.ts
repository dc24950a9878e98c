import { ServiceError, isServiceError } from '@svc/contracts/errors'
import { type Stranger, linkIdentity, signInByIdentity } from '@svc/domain/people/identities'
import {
  keepStranger,
  startOpenId,
  takeOpenIdRequest,
  takeStranger,
} from '@svc/domain/people/openid'
import type { UseCase } from '@svc/domain/use-case'
import type { HttpApp } from '@svc/http/create-app'
import type { HttpContext } from '@svc/http/request-context'
import type { OpenIdClaims, OpenIdClient } from '@svc/service/openid'
import { html } from 'hono/html'
import { authenticateSignedIn } from '../credentials/authenticate.ts'
import { openIdCookie, signInCookie } from '../credentials/cookie.ts'
import type { ApiParts } from '../parts.ts'
import { page, personPage } from './answer-page.ts'
import { readForm, takeForm } from './form.ts'
import { redirectTo, renderPage } from './page.ts'
import { openIdPath, openIdOwnPath, pagePaths, safeNext, signInPath } from './paths.ts'
import { renderInterstitialRedirect } from './interstitial-redirect.ts'

/** Signing in by a provider, and linking an account there to the person who is signed in. */
export function bindOpenId(app: HttpApp, parts: ApiParts): void {
  app.get(
    openIdPath(':name'),
    page(parts, async (context) => {
      const next = safeNext(context.req.query('next'))
      const { address, headers } = await askProvider(parts, context, { next, signInId: null })
      return redirectTo(address, headers)
    }),
  )
  app.post(
    openIdPath(':name'),
    personPage(parts, async (context, person) => {
      await takeForm(parts, context, person)
      const request = { next: pagePaths.openId, signInId: person.signIn.id }
      const { name, ...way } = await askProvider(parts, context, request)
      return renderInterstitialRedirect({
        ...way,
        title: 'Link an account',
        person,
        message: html`Going to <strong>${name}</strong> …`,
        link: `Go to ${name}`,
      })
    }),
  )
  app.get(
    `${openIdPath(':name')}/callback`,
    page(parts, (context) => comeBack(parts, context)),
  )
  app.post(
    openIdOwnPath(':name'),
    page(parts, (context) => takeOwnAccount(parts, context)),
  )
}

interface Leaving {
  name: string
  address: string
  headers: Record<string, string>
}

/** Where the provider is asked, and the cookie by which whoever comes back is known. */
async function askProvider(
  parts: ApiParts,
  context: HttpContext,
  request: { next: string; signInId: string | null },
): Promise<Leaving> {
  const { limiter, baseUrl } = parts
  const { client, redirectUri } = clientOf(parts, context)
  const useCase = useCaseOf(parts, context)
  // each leaves a row for minutes, and nobody has to be known for it
  const network = `openid ${limiter.networkOf(context)}`
  limiter.take({ tokenId: network, workspaceId: network, isRead: false })
  const { name } = client.provider
  const secret = await startOpenId(useCase, name, request)
  const { href } = await asked(parts, client, () => client.addressOf({ secret, redirectUri }))
  return { name, address: href, headers: { 'set-cookie': openIdCookie(baseUrl()).set(secret) } }
}

async function comeBack(parts: ApiParts, context: HttpContext): Promise<Response> {
  const { domain, baseUrl } = parts
  const { client, redirectUri } = clientOf(parts, context)
  const secret = openIdCookie(baseUrl()).read(context.req.header('cookie'))
  const request = await takeOpenIdRequest(domain, client.provider.name, secret)
  const answer = new URL(context.req.url).searchParams
  const flow = { secret: secret ?? '', redirectUri }
  const claims = await asked(parts, client, () => client.claimsOf(flow, answer))
  if (request.signInId === null) {
    return signIn(parts, context, { client, stranger: claims, next: request.next })
  }
  return link(parts, context, { client, claims, signInId: request.signInId })
}

interface Arrival {
  client: OpenIdClient
  claims: OpenIdClaims
}

interface SigningIn {
  client: OpenIdClient
  stranger: Stranger
  next: string
  /** They were asked, and want an account of their own. */
  ownAccount?: boolean
}

async function signIn(
  parts: ApiParts,
  context: HttpContext,
  { client, stranger, next, ownAccount = false }: SigningIn,
): Promise<Response> {
  const browser = context.req.header('user-agent') ?? ''
  const useCase = useCaseOf(parts, context)
  const { provider: admission } = client
  const arrived = await signInByIdentity(useCase, stranger, { admission, browser, ownAccount })
  if ('secret' in arrived)
    return done(parts, next, signInCookie(parts.baseUrl()).set(arrived.secret))
  const kept = await keepStranger(useCase, admission.name, { stranger, next })
  return askWhose(parts, { name: admission.name, email: arrived.askedAbout, kept })
}

/** What the browser kept for the provider is of no use any more. */
function done({ baseUrl }: ApiParts, next: string, cookie?: string): Response {
  const response = redirectTo(next)
  if (cookie !== undefined) response.headers.append('set-cookie', cookie)
  response.headers.append('set-cookie', openIdCookie(baseUrl()).clear())
  return response
}

/** An account of their address may be their own from before: they link it then, and lose nothing. */
function askWhose(
  { baseUrl }: ApiParts,
  { name, email, kept }: { name: string; email: string; kept: string },
): Promise<Response> {
  return renderPage({
    title: 'Is this account yours?',
    headers: { 'set-cookie': openIdCookie(baseUrl()).set(kept) },
    body: html`<p>
        There is an account of ${email} here. Nobody has proven yet that the address is theirs.
      </p>
      <p>
        If the account is yours, <a href="${signInPath(pagePaths.openId)}">sign in to it</a> another
        way and link your account at ${name} there: you keep all that it has. If you cannot sign in
        to it, ask an admin or whoever runs this service for a link.
      </p>
      <p>
        Only if it is not, or you know of none, go on: you get an account of your own with this
        address. The other one loses it for good, and neither gets anything of the other.
      </p>
      <form method="post" action="${openIdOwnPath(name)}">
        <button>Go on with an account of my own</button>
      </form>`,
  })
}

async function takeOwnAccount(parts: ApiParts, context: HttpContext): Promise<Response> {
  const { domain, baseUrl } = parts
  await readForm(context, baseUrl())
  const { client } = clientOf(parts, context)
  const secret = openIdCookie(baseUrl()).read(context.req.header('cookie'))
  const { stranger, next } = await takeStranger(domain, client.provider.name, secret)
  return signIn(parts, context, { client, stranger, next, ownAccount: true })
}

/** Links the account to the sign-in that asked for it, and to no other that this browser has had since. */
async function link(
  parts: ApiParts,
  context: HttpContext,
  { client, claims, signInId }: Arrival & { signInId: string },
): Promise<Response> {
  const person = await parts.limiter.authenticate(context, (presented) =>
    authenticateSignedIn(parts, presented),
  )
  if (person.signIn.id !== signInId) {
    throw new ServiceError('forbidden', 'Somebody else signed in meanwhile. Nothing was linked.')
  }
  await linkIdentity(useCaseOf(parts, context), person, claims, client.provider)
  return done(parts, pagePaths.openId)
}

/** What goes wrong with the provider is logged for the operator; the person learns whom to try again with. */
async function asked<T>(
  { log }: ApiParts,
  { provider: { name } }: OpenIdClient,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (isServiceError(error)) throw error
    // its sentence alone: the error as a whole holds what the provider sent
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ provider: name, reason }, 'signing in by a provider failed')
    throw new ServiceError(
      'forbidden',
      `Signing in by ${name} did not work. Try once more; if it stays, ask whoever runs this service.`,
    )
  }
}

function clientOf({ openId, baseUrl }: ApiParts, context: HttpContext) {
  const name = context.req.param('name') ?? ''
  const client = openId.find(({ provider }) => provider.name === name)
  if (!client) throw new ServiceError('not_found', 'There is no such provider here.')
  return { client, redirectUri: `${baseUrl()}${openIdPath(name)}/callback` }
}

function useCaseOf({ domain, limiter }: ApiParts, context: HttpContext): UseCase {
  return { domain, from: limiter.networkOf(context) }
}
