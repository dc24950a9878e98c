import { findClient, nearby, type Client } from '@svc/domain/oauth/clients'
import { isDocumentAddress, readDocument } from '@svc/domain/oauth/client-documents'
import { OAuthError } from '@svc/domain/oauth/error'
import { hasLetIn } from '@svc/domain/oauth/grants'
import { describeRedirect, isRegistered } from '@svc/domain/oauth/redirect-uri'
import { storeRequest } from '@svc/domain/oauth/requests'
import { canonicalResource } from '@svc/domain/oauth/resource'
import type { UseCase } from '@svc/domain/use-case'
import { requireCall } from '@svc/http/buckets'
import type { HttpContext } from '@svc/http/request-context'
import { html } from 'hono/html'
import { findPerson } from '../pages/answer-page.ts'
import { renderPage } from '../pages/page.ts'
import { pagePaths } from '../pages/paths.ts'
import { useCaseOf } from './answer.ts'
import { findFault } from './checks/authorize.ts'
import { type Parameters, readParameters } from './parameters.ts'
import type { OAuthParts } from './parts.ts'
import { answerAddress } from './redirect.ts'

/**
 * A client sends a person here. Who it is and where its answer goes is looked at first, and what is wrong with that is
 * shown to the person alone. All else is reported to the client: at once if the person has let it in before, else by a link,
 * since anybody may register one and nobody is to be redirected to where it wants by an address of ours.
 */
export async function authorize(context: HttpContext, parts: OAuthParts): Promise<Response> {
  parts.limiter.takeAnonymous(context)
  const given = readParameters(new URL(context.req.url).search)
  const useCase = useCaseOf(context, parts)
  const client = await requireClient(parts, useCase, given)
  const redirectUri = requireRedirect(client, given)
  const issuer = parts.baseUrl()
  const resource = canonicalResource(issuer)
  const state = given.isDoubled('state') ? undefined : given.one('state')
  const fault = findFault(given, resource)
  if (fault) {
    const answer = { error: fault.word, error_description: `Refused: ${fault.advice}.` }
    const address = answerAddress({ redirectUri, state, issuer }, answer)
    const person = await findPerson(parts, context)
    const isKnown = person && (await hasLetIn(parts.domain.db, person.userId, client.id))
    return isKnown ? redirect(address) : showRefused(client, address, fault.advice)
  }
  const handle = await storeRequest(useCase, {
    clientId: client.id,
    clientName: client.name,
    redirectUri,
    state,
    challenge: given.one('code_challenge') ?? '',
    resource,
  })
  return redirect(`${pagePaths.approve}?${new URLSearchParams({ request: handle }).toString()}`)
}

/** How many client metadata documents are fetched for one network, and for it with its neighbours. */
const fetchesAMinute = { own: 10, nearby: 60 }

async function requireClient(
  parts: OAuthParts,
  useCase: UseCase,
  given: Parameters,
): Promise<Client> {
  const id = given.one('client_id')
  if (id === undefined || given.isDoubled('client_id')) {
    throw new OAuthError('invalid_request', 'The application did not say once who it is.')
  }
  const client = await lookUp(parts, useCase, id)
  if (client) return client
  throw new OAuthError(
    'invalid_client',
    'The application is not known here. Remove the connection in it and add it again.',
  )
}

async function lookUp(
  { takesDocuments, fetches }: OAuthParts,
  useCase: UseCase,
  id: string,
): Promise<Client | undefined> {
  if (!isDocumentAddress(id)) return findClient(useCase.domain.db, id)
  if (!takesDocuments) return undefined
  const { from = 'unknown' } = useCase
  return readDocument(useCase, id, () => {
    const buckets = [
      fetches(from, fetchesAMinute.own),
      fetches(`near ${nearby(from)}`, fetchesAMinute.nearby),
    ]
    requireCall(buckets)
    for (const bucket of buckets) bucket.takeOne()
  })
}

function requireRedirect(client: Client, given: Parameters): string {
  const uri = given.one('redirect_uri')
  const isOnce = uri !== undefined && !given.isDoubled('redirect_uri')
  if (isOnce && isRegistered(client.redirect_uris, uri)) return uri
  throw new OAuthError(
    'invalid_request',
    'The application wants its answer at an address that it has not registered. Nothing was sent there.',
  )
}

function showRefused({ name }: Client, address: string, advice: string): Promise<Response> {
  const { host } = describeRedirect(address)
  return renderPage({
    title: 'This request is refused',
    status: 400,
    headers: { 'referrer-policy': 'no-referrer' },
    body: html`<p>
        An application that calls itself <strong>${name}</strong> asked for access in a way that is
        not taken here: ${advice}. It was given nothing. You have not let it in before, and nobody
        has checked that name.
      </p>
      <p>If you came from it, it can be told: <a href="${address}">go back to ${host}</a></p>
      <p><a href="${pagePaths.account}">Go to your account</a></p>`,
  })
}

function redirect(location: string): Response {
  const headers = { location, 'cache-control': 'no-store', 'referrer-policy': 'same-origin' }
  return new Response(null, { status: 302, headers })
}
