import { isServiceError } from '@svc/contracts/errors'
import { translate } from '@svc/domain/common/database-failures'
import type { Person } from '@svc/domain/entities/people/person'
import { failureOf } from '@svc/http/error-response'
import { type HttpContext, readPresented } from '@svc/http/request-context'
import { html } from 'hono/html'
import { authenticateSignedIn } from '../credentials/authenticate.ts'
import { signInCookie } from '../credentials/cookie.ts'
import type { ApiParts } from '../parts.ts'
import { redirectTo, renderPage } from './page.ts'
import { pagePaths, signInPath } from './paths.ts'

/** A page, or a page that says why not. */
export function page(
  { log, baseUrl }: ApiParts,
  answer: (context: HttpContext) => Promise<Response>,
): (context: HttpContext) => Promise<Response> {
  return (context) =>
    answer(context).catch((error: unknown) => {
      const { status, body, headers } = failureOf(translate(error), context.get('requestId'), log)
      const title = status < 500 ? 'That did not work' : 'Something went wrong'
      // a form is filled in again where it stands, and browsers keep there what was written
      const form = context.req.method === 'POST' ? pageOf(context, baseUrl()) : pagePaths.front
      const back =
        form === pagePaths.front ? '' : html`<p><a href="${form}">Back to the form</a></p>`
      const text = html`<p>${body.error.message}</p>
        ${back}
        <p><a href="${pagePaths.front}">Sign in, or go on in your workspace</a></p>`
      return renderPage({ title, body: text, status, headers })
    })
}

/** The same for somebody who is signed in; whoever is not signs in first and comes back. */
export function personPage(
  parts: ApiParts,
  answer: (context: HttpContext, person: Person) => Promise<Response>,
): (context: HttpContext) => Promise<Response> {
  return page(parts, async (context) => {
    const found = await findPerson(parts, context)
    // signed out while it was carried out, too
    const answered = found && (await answer(context, found).catch(ignoreSignedOut))
    return answered ?? redirectTo(signInPath(pageOf(context, parts.baseUrl())))
  })
}

/** Where somebody is: a form goes elsewhere than the page that it stood on, which browsers name to their own origin. */
function pageOf(context: HttpContext, baseUrl: string): string {
  const isRead = context.req.method === 'GET' || context.req.method === 'HEAD'
  const page = URL.parse(isRead ? context.req.url : (context.req.header('referer') ?? ''))
  const isOurs = page !== null && (isRead || page.origin === new URL(baseUrl).origin)
  return isOurs ? page.pathname + page.search : pagePaths.front
}

/** Who is signed in, if anybody is. Whoever shows nothing has tried nothing, and counts among no failed tries. */
export async function findPerson(
  parts: ApiParts,
  context: HttpContext,
): Promise<Person | undefined> {
  const { cookies } = readPresented(context)
  if (signInCookie(parts.baseUrl()).read(cookies) === undefined) return undefined
  return parts.limiter
    .authenticate(context, (presented) => authenticateSignedIn(parts, presented))
    .catch(ignoreSignedOut)
}

function ignoreSignedOut(error: unknown): undefined {
  if (!isServiceError(error) || error.code !== 'unauthenticated') throw error
}
