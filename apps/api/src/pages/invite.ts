import { appPages, appPath } from '@svc/contracts/links'
import { PersonName } from '@svc/contracts/member'
import { NewPassword } from '@svc/contracts/sign-in'
import {
  type OpenInvitation,
  acceptAsNewPerson,
  acceptInvitation,
  findInvitation,
} from '@svc/domain/members/accept-invitation'
import type { Person } from '@svc/domain/entities/people/person'
import type { HttpApp } from '@svc/http/create-app'
import type { HttpContext } from '@svc/http/request-context'
import { html } from 'hono/html'
import { z } from 'zod'
import type { ApiParts } from '../parts.ts'
import { findPerson, page } from './answer-page.ts'
import { formToken, readForm, requireFormToken } from './form.ts'
import { redirectSignedIn } from './signed-in-redirect.ts'
import { newPasswordField, parseForm, refusalOf, signedInOnce } from './new-password.ts'
import { type Html, redirectTo, renderPage, showRefusal } from './page.ts'
import { pagePaths, signInPath } from './paths.ts'

const NewPersonForm = z.object({ name: PersonName, password: NewPassword })
const NewPersonWithoutPassword = NewPersonForm.omit({ password: true })

export function bindInvite(app: HttpApp, parts: ApiParts): void {
  const { domain, limiter, baseUrl } = parts
  app.get(
    pagePaths.invite,
    page(parts, async (context) => {
      const secret = context.req.query('token') ?? ''
      const invitation = await findInvitation(domain, secret)
      return showInvitation(parts, { secret, invitation, person: await findPerson(parts, context) })
    }),
  )
  app.post(
    pagePaths.invite,
    page(parts, async (context) => {
      const fields = await readForm(context, baseUrl())
      const { token: secret = '' } = fields
      const person = await findPerson(parts, context)
      if (!person) return acceptNewly(parts, context, fields)
      requireFormToken(domain, person, aboutInvitation(secret), fields)
      const useCase = { domain, from: limiter.networkOf(context) }
      const { workspace } = await acceptInvitation(useCase, person, secret)
      return redirectTo(appPath(workspace.slug, appPages.needs()))
    }),
  )
}

async function acceptNewly(
  parts: ApiParts,
  context: HttpContext,
  fields: Record<string, string>,
): Promise<Response> {
  const { domain, limiter } = parts
  const { token: secret = '', name } = fields
  const invitation = await findInvitation(domain, secret)
  try {
    const browser = context.req.header('user-agent') ?? ''
    const given = domain.passwordLogin
      ? parseForm(NewPersonForm, fields)
      : { ...parseForm(NewPersonWithoutPassword, fields), password: undefined }
    const useCase = { domain, from: limiter.networkOf(context) }
    const made = await acceptAsNewPerson(useCase, secret, { ...given, browser })
    const joined = appPath(invitation.workspace.slug, appPages.needs())
    const next = domain.passwordLogin ? joined : pagePaths.openId
    return redirectSignedIn(parts, next, made)
  } catch (error) {
    return showInvitation(parts, { secret, invitation, name, refusal: refusalOf(error) })
  }
}

function aboutInvitation(secret: string): string {
  return `${pagePaths.invite} ${secret}`
}

interface Invited {
  secret: string
  invitation: OpenInvitation
  person?: Person | undefined
  name?: string | undefined
  refusal?: string
}

function showInvitation(parts: ApiParts, invited: Invited): Promise<Response> {
  const { invitation, person, refusal } = invited
  const { workspace, invitedBy, email, role } = invitation
  return renderPage({
    title: `Join ${workspace.name}`,
    person,
    status: refusal === undefined ? 200 : 400,
    body: html`<p>${invitedBy} invites ${email} to the workspace ${workspace.name} as ${role}.</p>
      ${showRefusal(refusal)} ${waysIn(parts, invited)}`,
  })
}

function waysIn(parts: ApiParts, { secret, invitation, person, name = '' }: Invited): Html {
  const { email, isKnown, workspace } = invitation
  const given = html`<input type="hidden" name="token" value="${secret}" />`
  if (person && person.email.toLowerCase() !== email.toLowerCase()) {
    return html`<p>
      You are signed in as ${person.email}. Sign out on
      <a href="${pagePaths.account}">your account</a>, and open the link again.
    </p>`
  }
  if (person) {
    return html`<form method="post" action="${pagePaths.invite}">
      ${given} ${formToken(parts.domain, person, aboutInvitation(secret))}
      <button>Join ${workspace.name}</button>
    </form>`
  }
  if (isKnown) {
    const here = `${pagePaths.invite}?${new URLSearchParams({ token: secret }).toString()}`
    return html`<p><a href="${signInPath(here)}">Sign in as ${email}</a> to join.</p>`
  }
  return html`<form method="post" action="${pagePaths.invite}">
    ${given}
    <input type="hidden" name="email" value="${email}" autocomplete="username" />
    <label>Your name <input name="name" value="${name}" autocomplete="name" required /></label>
    ${parts.domain.passwordLogin ? newPasswordField({ label: 'Password' }) : signedInOnce}
    <button>Join ${workspace.name}</button>
  </form>`
}
