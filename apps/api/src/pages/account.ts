import { isWithoutAddress } from '@svc/domain/people/addresses'
import { listDeletedWorkspaces, listOwnWorkspaces } from '@svc/domain/people/own-workspaces'
import { listSignIns } from '@svc/domain/people/list-sign-ins'
import type { Person } from '@svc/domain/entities/people/person'
import { listTokensInForce } from '@svc/domain/user-tokens/list-in-force'
import type { HttpApp } from '@svc/http/create-app'
import type { HttpContext } from '@svc/http/request-context'
import { html } from 'hono/html'
import type { ApiParts } from '../parts.ts'
import {
  type Shown,
  applicationSection,
  deletedSection,
  passwordSection,
  sessionSection,
  tokenSection,
  workspaceSection,
} from './account-sections.ts'
import { personPage } from './answer-page.ts'
import { personForm } from './form.ts'
import { type Html, redirectTo, renderPage } from './page.ts'
import { pagePaths } from './paths.ts'
import { actAs, chosenOf } from './workspaces.ts'

/** What a form of this page has done, as it is shown after the form leads back here. */
export const done = {
  session: 'That browser is signed out.',
  token: 'That token is dead.',
  password: 'Your password is changed. Every other browser is signed out.',
  deleted: 'That workspace is deleted. It stands below until it has gone for good.',
  restored: 'That workspace is there again, with its members, tokens and webhooks.',
  access: 'Every token and every connected application of yours has ended.',
} as const

/** Where a form has done that. */
export function backToAccount(what: keyof typeof done, workspace?: string): Response {
  const query = { done: what, ...(workspace !== undefined && { workspace }) }
  return redirectTo(`${pagePaths.account}?${new URLSearchParams(query).toString()}`)
}

export function bindAccount(app: HttpApp, parts: ApiParts): void {
  app.get(
    pagePaths.account,
    personPage(parts, (context, person) => show(parts, context, person)),
  )
}

/** Somebody has proven that the address which this account had is theirs. */
function addressGone(name: string): Html {
  return html`<p class="warning">
    This account has no e-mail address any more: somebody has proven that the one it had is theirs.
    Nothing else has changed. Where you are asked for your address to sign in, give
    <code>${name}</code>.
  </p>`
}

async function show(parts: ApiParts, context: HttpContext, person: Person): Promise<Response> {
  const { domain, openId } = parts
  const [{ sessions }, workspaces, deleted] = await Promise.all([
    listSignIns({ domain }, person),
    listOwnWorkspaces({ domain }, person),
    listDeletedWorkspaces({ domain }, person),
  ])
  const chosen = chosenOf(workspaces, context.req.query('workspace'))
  const shown: Shown = { domain, person, workspaces, chosen, ...(await tokensIn(chosen?.id)) }
  const message = Object.entries(done).find(([name]) => name === context.req.query('done'))?.[1]
  return renderPage({
    title: 'Your account',
    person,
    body: html`${message === undefined ? '' : html`<p class="done" role="status">${message}</p>`}
      <div class="who-here">
        <p>Signed in as <strong>${person.userName}</strong>, ${person.email}.</p>
        ${personForm(domain, person, {
          action: pagePaths.signOut,
          body: html`<button class="second">Sign out</button>`,
        })}
      </div>
      ${isWithoutAddress(person.email) ? addressGone(person.email) : ''} ${workspaceSection(shown)}
      ${deletedSection(shown, deleted)} ${tokenSection(shown)} ${applicationSection(shown)}
      ${sessionSection(shown, sessions)} ${passwordSection(shown)}
      ${openId.length > 0 ? html`<p><a href="${pagePaths.openId}">Accounts that you sign in with</a></p>` : ''}`,
  })

  async function tokensIn(
    workspace: string | undefined,
  ): Promise<Pick<Shown, 'minted' | 'granted'>> {
    if (workspace === undefined) return { minted: [], granted: [] }
    const actor = await actAs(parts, context, workspace)
    const [minted, granted] = await Promise.all([
      listTokensInForce({ domain }, actor, 'minted'),
      listTokensInForce({ domain }, actor, 'oauth'),
    ])
    return { minted, granted }
  }
}
