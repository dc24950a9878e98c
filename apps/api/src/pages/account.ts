import { listSignIns } from '@svc/domain/people/list-sign-ins'
import type { HttpApp } from '@svc/http/create-app'
import { html } from 'hono/html'
import type { ApiParts } from '../parts.ts'
import { personPage } from './answer-page.ts'
import { formToken } from './form.ts'
import { renderPage } from './page.ts'
import { pagePaths } from './paths.ts'

export function bindAccount(app: HttpApp, parts: ApiParts): void {
  const { domain, openId } = parts
  app.get(
    pagePaths.account,
    personPage(parts, async (_context, person) => {
      const { sessions } = await listSignIns({ domain }, person)
      return renderPage({
        title: 'Your account',
        person,
        body: html`<p>Signed in as ${person.userName}, ${person.email}.</p>
          <h2>Where you are signed in</h2>
          <ul>
            ${sessions.map((one) => html`<li>${one.browser}${one.isCurrent ? ', this one' : ''}</li>`)}
          </ul>
          ${openId.length > 0 ? html`<p><a href="${pagePaths.openId}">Accounts that you sign in with</a></p>` : ''}
          <form method="post" action="${pagePaths.signOut}">
            ${formToken(domain, person, pagePaths.signOut)}
            <button>Sign out</button>
          </form>`,
      })
    }),
  )
}
