import { routeHandlers } from '@svc/domain/handlers/routes'
import { endOwnTokens, listHeldAccess } from '@svc/domain/people/access/held-access'
import type { Person } from '@svc/domain/entities/people/person'
import type { HttpApp } from '@svc/http/create-app'
import { html } from 'hono/html'
import { signInCookie } from '../credentials/cookie.ts'
import type { ApiParts } from '../parts.ts'
import { done } from './account.ts'
import { personPage } from './answer-page.ts'
import { personForm, takeForm } from './form.ts'
import { actsForThem, heldList } from './held-access.ts'
import { type Html, redirectTo, renderPage } from './page.ts'
import { pagePaths } from './paths.ts'

/**
 * What goes on acting for a person who has a new password, or signs out everywhere: it is shown, and ended by a button of
 * its own, since a runner at work may be among it.
 */
export function bindEndAccess(app: HttpApp, parts: ApiParts): void {
  const { domain, limiter, baseUrl } = parts
  app.get(
    pagePaths.endAccess,
    personPage(parts, async (context, person) => {
      const isNew = context.req.query('done') === 'password'
      return renderPage({
        title: 'What acts for you',
        person,
        body: html`${isNew ? html`<p class="done" role="status">${done.password}</p>` : ''}
          ${await whatActs(parts, person)}
          <p><a href="${pagePaths.account}">Back to your account</a></p>`,
      })
    }),
  )
  app.post(
    pagePaths.endAccess,
    personPage(parts, async (context, person) => {
      await takeForm(parts, context, person)
      await endOwnTokens({ domain, from: limiter.networkOf(context) }, person)
      return redirectTo(`${pagePaths.account}?done=access`)
    }),
  )
  app.get(
    pagePaths.endSessions,
    personPage(parts, async (_context, person) =>
      renderPage({
        title: 'Sign out everywhere',
        person,
        body: html`<p>Every browser that is signed in as you is signed out, this one too.</p>
          ${personForm(domain, person, {
            action: pagePaths.endSessions,
            body: html`<button class="danger">Sign out everywhere</button>`,
          })}
          ${await whatActs(parts, person)}
          <p><a href="${pagePaths.account}">Back to your account</a></p>`,
      }),
    ),
  )
  app.post(
    pagePaths.endSessions,
    personPage(parts, async (context, person) => {
      await takeForm(parts, context, person)
      const useCase = { domain, from: limiter.networkOf(context) }
      await routeHandlers.endSignIns(useCase, person, {})
      return redirectTo(pagePaths.signIn, { 'set-cookie': signInCookie(baseUrl()).clear() })
    }),
  )
}

async function whatActs({ domain }: ApiParts, person: Person): Promise<Html> {
  const held = await listHeldAccess(domain.db, person.userId)
  if (!actsForThem(held)) return html`<p>No token and no application acts for you.</p>`
  return html`<p>
      These go on acting for you, as they are no browsers. If somebody else may have them, end them.
    </p>
    ${heldList(held, ['tokens', 'applications', 'runners', 'runs'])}
    ${personForm(domain, person, {
      action: pagePaths.endAccess,
      body: html`<button class="danger">End them all</button>`,
    })}`
}
