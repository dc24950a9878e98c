import { routeHandlers } from '@svc/domain/handlers/routes'
import { listHeldAccess } from '@svc/domain/people/access/held-access'
import type { Person } from '@svc/domain/entities/people/person'
import { idempotencyOf } from '@svc/domain/use-case'
import type { HttpApp } from '@svc/http/create-app'
import { readIdempotencyKey } from '@svc/http/idempotency-key'
import type { HttpContext } from '@svc/http/request-context'
import { html } from 'hono/html'
import type { ApiParts } from '../parts.ts'
import { backToAccount } from './account.ts'
import { personPage } from './answer-page.ts'
import { parseFields, takeForm } from './form.ts'
import { actsForThem } from './held-access.ts'
import { redirectTo, renderPage } from './page.ts'
import { pagePaths } from './paths.ts'
import { actAs } from './workspaces.ts'

type Fields = Record<string, string>
type Take = (person: Person, fields: Fields, context: HttpContext) => Promise<Response>

/** What the account page sends. Each form is an endpoint of the API, with its input in fields. */
export function bindAccountForms(app: HttpApp, parts: ApiParts): void {
  const { domain, limiter } = parts
  const bind = (path: string, take: Take) =>
    app.post(
      path,
      personPage(parts, async (context, person) =>
        take(person, await takeForm(parts, context, person), context),
      ),
    )
  const through = (context: HttpContext) => ({ domain, from: limiter.networkOf(context) })

  bind(pagePaths.endSession, async (person, { id }, context) => {
    await routeHandlers.endSignIn(
      through(context),
      person,
      parseFields('endSignIn', 'params', { id }),
    )
    return backToAccount('session')
  })

  bind(pagePaths.changePassword, async (person, { currentPassword, newPassword }, context) => {
    const input = parseFields('changePassword', 'body', { currentPassword, newPassword })
    await routeHandlers.changePassword(through(context), person, input)
    const isAll = !actsForThem(await listHeldAccess(domain.db, person.userId))
    return isAll ? backToAccount('password') : redirectTo(`${pagePaths.endAccess}?done=password`)
  })

  bind(pagePaths.revokeToken, async (_person, { workspace = '', id }, context) => {
    const actor = await actAs(parts, context, workspace)
    const input = parseFields('revokeUserToken', 'params', { id })
    await routeHandlers.revokeUserToken(through(context), actor, input)
    return backToAccount('token', workspace)
  })

  bind(pagePaths.createToken, async (person, { workspace = '', key, ...fields }, context) => {
    const actor = await actAs(parts, context, workspace)
    const { label, preset, days } = fields
    const input = parseFields('createUserToken', 'body', {
      label,
      preset,
      expiresInDays: Number(days),
    })
    // a form that is sent again shows the same token, while its answer is kept
    const named = readIdempotencyKey('createUserToken', key, input)
    const { userToken, token } = await routeHandlers.createUserToken(
      { ...through(context), ...(named && { idempotency: idempotencyOf(actor, named) }) },
      actor,
      input,
    )
    return renderPage({
      title: 'Your new token',
      person,
      body: html`<p role="status">
          Copy it now: it is shown this once. Keep ${userToken.label} in a file that nobody else can
          read, or in a store of secrets.
        </p>
        <pre>${token}</pre>
        <p>
          <a href="${accountOf(workspace)}">Back to your account</a>
        </p>`,
    })
  })
}

function accountOf(workspace: string): string {
  return `${pagePaths.account}?${new URLSearchParams({ workspace }).toString()}`
}
