import type { LinkedIdentity } from '@svc/contracts/identity'
import { routeHandlers } from '@svc/domain/handlers/routes'
import type { Person } from '@svc/domain/entities/people/person'
import type { HttpApp } from '@svc/http/create-app'
import type { HttpContext } from '@svc/http/request-context'
import { html } from 'hono/html'
import type { ApiParts } from '../parts.ts'
import { personPage } from './answer-page.ts'
import { parseFields, personForm, takeForm } from './form.ts'
import { type Html, redirectTo, renderPage } from './page.ts'
import { openIdPath, pagePaths } from './paths.ts'

/** The accounts at providers by which a person signs in here: linked from here, and unlinked. */
export function bindIdentities(app: HttpApp, parts: ApiParts): void {
  const { domain, limiter } = parts
  app.get(
    pagePaths.openId,
    personPage(parts, (context, person) => show(parts, context, person)),
  )
  app.post(
    pagePaths.unlinkIdentity,
    personPage(parts, async (context, person) => {
      const { id } = await takeForm(parts, context, person)
      const input = parseFields('unlinkIdentity', 'params', { id })
      await routeHandlers.unlinkIdentity(
        { domain, from: limiter.networkOf(context) },
        person,
        input,
      )
      return redirectTo(`${pagePaths.openId}?done=unlinked`)
    }),
  )
}

const unlinked = 'That account is unlinked. Every other browser is signed out.'

async function show(parts: ApiParts, context: HttpContext, person: Person): Promise<Response> {
  const { domain, openId } = parts
  const { identities } = await routeHandlers.listIdentities({ domain }, person, {})
  const isDone = context.req.query('done') === 'unlinked'
  return renderPage({
    title: 'Accounts that you sign in with',
    person,
    body: html`${isDone ? html`<p class="done" role="status">${unlinked}</p>` : ''}
      ${identities.length === 0 ? html`<p>None is linked yet.</p>` : ''}
      <ul class="rows">
        ${identities.map((identity) => identityRow(parts, person, identity))}
      </ul>
      ${openId.map(({ provider: { name } }) =>
        personForm(domain, person, {
          action: openIdPath(name),
          body: html`<button class="second">Link an account at ${name}</button>`,
        }),
      )}
      <p><a href="${pagePaths.account}">Back to your account</a></p>`,
  })
}

function identityRow(
  { domain, openId }: ApiParts,
  person: Person,
  { id, issuer, subject, linkedAt }: LinkedIdentity,
): Html {
  const known = openId.find(({ provider }) => provider.issuer === issuer)
  const name = known?.provider.name ?? issuer
  return html`<li>
    <span>
      <strong>${name}</strong><br />
      <span class="quiet">${subject}, since ${linkedAt.slice(0, 10)}</span>
    </span>
    ${personForm(domain, person, {
      action: pagePaths.unlinkIdentity,
      body: html`<input type="hidden" name="id" value="${id}" />
        <button class="danger" aria-label="Unlink ${subject} at ${name}">Unlink</button>`,
    })}
  </li>`
}
