import { isServiceError } from '@svc/contracts/errors'
import { signOut } from '@svc/domain/people/end-sign-ins'
import { signInByPassword } from '@svc/domain/people/sign-in'
import type { HttpApp } from '@svc/http/create-app'
import { html } from 'hono/html'
import { knownBrowserCookie, signInCookie } from '../credentials/cookie.ts'
import type { ApiParts } from '../parts.ts'
import { page, personPage } from './answer-page.ts'
import { readForm, requireFormToken } from './form.ts'
import { redirectSignedIn } from './signed-in-redirect.ts'
import { type Html, redirectTo, renderPage, showRefusal } from './page.ts'
import { openIdPath, pagePaths, safeNext } from './paths.ts'

export function bindSignIn(app: HttpApp, parts: ApiParts): void {
  const { domain, limiter, baseUrl } = parts
  app.get(
    pagePaths.signIn,
    page(parts, async (context) =>
      showSignIn(parts, { next: safeNext(context.req.query('next')) }),
    ),
  )
  app.post(
    pagePaths.signIn,
    page(parts, async (context) => {
      const fields = await readForm(context, baseUrl())
      const next = safeNext(fields['next'])
      const { email = '', password = '' } = fields
      const browser = context.req.header('user-agent') ?? ''
      const from = limiter.networkOf(context)
      try {
        const mark = knownBrowserCookie(baseUrl()).read(context.req.header('cookie'))
        const given = { email, password, browser, mark }
        return redirectSignedIn(parts, next, await signInByPassword({ domain, from }, given))
      } catch (error) {
        if (!isServiceError(error) || error.code !== 'forbidden') throw error
        return showSignIn(parts, { next, email, refusal: error.message })
      }
    }),
  )
  app.post(
    pagePaths.signOut,
    personPage(parts, async (context, person) => {
      requireFormToken(domain, person, pagePaths.signOut, await readForm(context, baseUrl()))
      await signOut({ domain, from: limiter.networkOf(context) }, person)
      return redirectTo(pagePaths.signIn, { 'set-cookie': signInCookie(baseUrl()).clear() })
    }),
  )
}

interface SignInForm {
  next: string
  email?: string
  refusal?: string
}

function showSignIn(
  { domain, openId }: ApiParts,
  { next, email = '', refusal }: SignInForm,
): Promise<Response> {
  return renderPage({
    title: 'Sign in',
    status: refusal === undefined ? 200 : 403,
    body: html`${showRefusal(refusal)} ${domain.passwordLogin ? passwordForm(next, email) : ''}
    ${openId.length > 0 ? buttonsOf(openId, next) : ''}`,
  })
}

/** It goes to the address that it stands at: so a browser keeps what is behind the # of where somebody wanted to go. */
function passwordForm(next: string, email: string): Html {
  return html`<form method="post">
      <input type="hidden" name="next" value="${next}" />
      <label
        >E-mail address
        <input type="email" name="email" value="${email}" autocomplete="username" required />
      </label>
      <label
        >Password
        <input type="password" name="password" autocomplete="current-password" required />
      </label>
      <button>Sign in</button>
    </form>
    <details>
      <summary>Forgot your password?</summary>
      <p>
        Nothing is sent by e-mail: somebody gives you a link that sets a new one. An admin of your
        workspace makes it under Access, among its members. Whoever runs this service makes one for
        anybody, also for the owner of a workspace:
      </p>
      <p><code>svc-admin reset-link --email ${'<e-mail>'}</code></p>
      <p>
        Where <code>npm start</code> runs it, that is
        <code>npm run -s admin -- reset-link --email ${'<e-mail>'}</code>.
      </p>
    </details>`
}

function buttonsOf(openId: ApiParts['openId'], next: string): Html {
  const query = new URLSearchParams({ next }).toString()
  return html`<p class="actions">
    ${openId.map(
      ({ provider: { name } }) =>
        html`<a class="button" href="${openIdPath(name)}?${query}">Sign in with ${name}</a>`,
    )}
  </p>`
}
