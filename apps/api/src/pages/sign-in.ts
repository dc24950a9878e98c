import { isServiceError } from '@svc/contracts/errors'
import { signOut } from '@svc/domain/people/end-sign-ins'
import { signInByPassword } from '@svc/domain/people/sign-in'
import type { HttpApp } from '@svc/http/create-app'
import { html } from 'hono/html'
import { signInCookie } from '../credentials/cookie.ts'
import type { ApiParts } from '../parts.ts'
import { page, personPage } from './answer-page.ts'
import { readForm, requireFormToken } from './form.ts'
import { leadTo, renderPage } from './page.ts'
import { pagePaths, safeNext } from './paths.ts'

export function bindSignIn(app: HttpApp, parts: ApiParts): void {
  const { domain, limiter, baseUrl } = parts
  app.get(
    pagePaths.signIn,
    page(parts, async (context) => showSignIn({ next: safeNext(context.req.query('next')) })),
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
        const { secret } = await signInByPassword({ domain, from }, { email, password, browser })
        return leadTo(next, { 'set-cookie': signInCookie(baseUrl()).set(secret) })
      } catch (error) {
        if (!isServiceError(error) || error.code !== 'forbidden') throw error
        return showSignIn({ next, email, refusal: error.message })
      }
    }),
  )
  app.post(
    pagePaths.signOut,
    personPage(parts, async (context, person) => {
      requireFormToken(domain, person, pagePaths.signOut, await readForm(context, baseUrl()))
      await signOut({ domain, from: limiter.networkOf(context) }, person)
      return leadTo(pagePaths.signIn, { 'set-cookie': signInCookie(baseUrl()).clear() })
    }),
  )
}

interface SignInForm {
  next: string
  email?: string
  refusal?: string
}

function showSignIn({ next, email = '', refusal }: SignInForm): Promise<Response> {
  return renderPage({
    title: 'Sign in',
    status: refusal === undefined ? 200 : 403,
    body: html`${refusal === undefined ? '' : html`<p class="refusal" role="alert">${refusal}</p>`}
      <form method="post" action="${pagePaths.signIn}">
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
      </form>`,
  })
}
