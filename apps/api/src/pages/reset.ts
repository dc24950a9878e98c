import { NewPassword } from '@svc/contracts/sign-in'
import { findResetLink, resetPassword } from '@svc/domain/members/reset-password'
import type { HttpApp } from '@svc/http/create-app'
import { html } from 'hono/html'
import { z } from 'zod'
import { signInCookie } from '../credentials/cookie.ts'
import type { ApiParts } from '../parts.ts'
import { page } from './answer-page.ts'
import { readForm } from './form.ts'
import { newPasswordField, parseForm, refusalOf } from './new-password.ts'
import { leadTo, renderPage, showRefusal } from './page.ts'
import { pagePaths } from './paths.ts'

const ResetForm = z.object({ password: NewPassword })

export function bindReset(app: HttpApp, parts: ApiParts): void {
  const { domain, limiter, baseUrl } = parts
  app.get(
    pagePaths.reset,
    page(parts, async (context) => {
      const secret = context.req.query('token') ?? ''
      const { email } = await findResetLink(domain, secret)
      return showReset({ secret, email })
    }),
  )
  app.post(
    pagePaths.reset,
    page(parts, async (context) => {
      const fields = await readForm(context, baseUrl())
      const { token: secret = '' } = fields
      const { email } = await findResetLink(domain, secret)
      try {
        const { password: newPassword } = parseForm(ResetForm, fields)
        const browser = context.req.header('user-agent') ?? ''
        const signedIn = await resetPassword({ domain, from: limiter.networkOf(context) }, secret, {
          newPassword,
          browser,
        })
        const cookie = signInCookie(baseUrl()).set(signedIn.secret)
        return leadTo(pagePaths.account, { 'set-cookie': cookie })
      } catch (error) {
        return showReset({ secret, email, refusal: refusalOf(error) })
      }
    }),
  )
}

interface ResetPage {
  secret: string
  email: string
  refusal?: string
}

function showReset({ secret, email, refusal }: ResetPage): Promise<Response> {
  return renderPage({
    title: 'Set a new password',
    status: refusal === undefined ? 200 : 400,
    body: html`<p>For ${email}. Every browser that is signed in as this person is signed out.</p>
      ${showRefusal(refusal)}
      <form method="post" action="${pagePaths.reset}">
        <input type="hidden" name="token" value="${secret}" />
        <input type="hidden" name="email" value="${email}" autocomplete="username" />
        ${newPasswordField()}
        <button>Set it and sign in</button>
      </form>`,
  })
}
