import { NewPassword } from '@svc/contracts/sign-in'
import { findResetLink, resetAccount } from '@svc/domain/members/reset-password'
import type { HttpApp } from '@svc/http/create-app'
import { html } from 'hono/html'
import { z } from 'zod'
import type { ApiParts } from '../parts.ts'
import { page } from './answer-page.ts'
import { readForm } from './form.ts'
import { heldList } from './held-access.ts'
import { redirectSignedIn } from './signed-in-redirect.ts'
import { newPasswordField, parseForm, refusalOf, signedInOnce } from './new-password.ts'
import { renderPage, showRefusal } from './page.ts'
import { pagePaths } from './paths.ts'

const ResetForm = z.object({ password: NewPassword })

export function bindReset(app: HttpApp, parts: ApiParts): void {
  const { domain, limiter, baseUrl } = parts
  app.get(
    pagePaths.reset,
    page(parts, async (context) => {
      const secret = context.req.query('token') ?? ''
      return showReset(parts, { secret, found: await findResetLink(domain, secret) })
    }),
  )
  app.post(
    pagePaths.reset,
    page(parts, async (context) => {
      const fields = await readForm(context, baseUrl())
      const { token: secret = '' } = fields
      const found = await findResetLink(domain, secret)
      try {
        const given = domain.passwordLogin ? parseForm(ResetForm, fields) : { password: '' }
        const browser = context.req.header('user-agent') ?? ''
        const signedIn = await resetAccount({ domain, from: limiter.networkOf(context) }, secret, {
          newPassword: given.password,
          browser,
        })
        const next = domain.passwordLogin ? pagePaths.front : pagePaths.openId
        return redirectSignedIn(parts, next, signedIn)
      } catch (error) {
        return showReset(parts, { secret, found, refusal: refusalOf(error) })
      }
    }),
  )
}

interface ResetPage {
  secret: string
  found: Awaited<ReturnType<typeof findResetLink>>
  refusal?: string
}

const ending = ['identities', 'tokens', 'applications', 'runners', 'runs', 'sessions'] as const

function showReset(
  { domain }: ApiParts,
  { secret, found: { name, email, held }, refusal }: ResetPage,
): Promise<Response> {
  const { passwordLogin } = domain
  const hasAny = ending.some((kind) => held[kind].newest.length > 0)
  const password = html`<input
      type="hidden"
      name="email"
      value="${email}"
      autocomplete="username"
    />
    ${newPasswordField()}`
  return renderPage({
    title: passwordLogin ? 'Set a new password' : 'Sign in by this link',
    status: refusal === undefined ? 200 : 400,
    body: html`<p>For ${name}, ${email}.</p>
      ${hasAny ? html`<p class="warning">Whatever lets anybody in as this person, or acts for them, ends with it.</p>` : ''}
      ${showRefusal(refusal)}
      <form method="post" action="${pagePaths.reset}">
        <input type="hidden" name="token" value="${secret}" />
        ${passwordLogin ? password : signedInOnce}
        <button>${passwordLogin ? 'Set it and sign in' : 'Sign in'}</button>
      </form>
      ${heldList(held, ending)}`,
  })
}
