import { type ServiceError, isServiceError } from '@svc/contracts/errors'
import { findSetUp, setUpOwner } from '@svc/domain/people/set-up'
import type { HttpApp } from '@svc/http/create-app'
import { html } from 'hono/html'
import type { ApiParts } from '../parts.ts'
import { page } from './answer-page.ts'
import { readForm } from './form.ts'
import { redirectSignedIn } from './signed-in-redirect.ts'
import { newPasswordField } from './new-password.ts'
import { renderPage, showRefusal } from './page.ts'
import { pagePaths } from './paths.ts'

/** Where the first owner comes by a link that works once. */
export function bindSetUp(app: HttpApp, parts: ApiParts): void {
  const { domain, limiter, baseUrl } = parts
  app.get(
    pagePaths.setUp,
    page(parts, async (context) => {
      const secret = context.req.query('token') ?? ''
      return showSetUp(parts, { secret, ...(await findSetUp(domain, secret)) })
    }),
  )
  app.post(
    pagePaths.setUp,
    page(parts, async (context) => {
      const form = await readForm(context, baseUrl())
      const { token = '', name = '', password = '' } = form
      const { email = (await findSetUp(domain, token)).email } = form
      const browser = context.req.header('user-agent') ?? ''
      try {
        const signedIn = await setUpOwner(
          { domain, from: limiter.networkOf(context) },
          {
            secret: token,
            name,
            email,
            password: domain.passwordLogin ? password : undefined,
            browser,
          },
        )
        return redirectSignedIn(parts, pagePaths.front, signedIn)
      } catch (error) {
        if (!isServiceError(error) || error.code !== 'validation_failed') throw error
        return showSetUp(parts, { secret: token, name, email, refusal: sentenceOf(error) })
      }
    }),
  )
}

/** The field as the form calls it. */
function sentenceOf({ message }: ServiceError): string {
  return message
    .replace(/^newPassword:/, 'Password:')
    .replace(/^name:/, 'Your name:')
    .replace(/^email:/, 'E-mail address:')
}

interface SetUpForm {
  secret: string
  name: string
  email: string
  refusal?: string
}

function showSetUp({ domain }: ApiParts, { secret, name, email, refusal }: SetUpForm) {
  return renderPage({
    title: 'Set up your account',
    status: refusal === undefined ? 200 : 400,
    body: html`${showRefusal(refusal)}
      <p>You are the owner here. This page is yours once: later you sign in by this address.</p>
      <form method="post" action="${pagePaths.setUp}">
        <input type="hidden" name="token" value="${secret}" />
        <label
          >E-mail address
          <input
            type="email"
            name="email"
            value="${email}"
            autocomplete="username"
            maxlength="254"
            required
          />
        </label>
        <label
          >Your name
          <input name="name" value="${name}" autocomplete="name" maxlength="200" required />
        </label>
        ${domain.passwordLogin ? newPasswordField({ label: 'Password' }) : ''}
        <button>Set up and sign in</button>
      </form>`,
  })
}
