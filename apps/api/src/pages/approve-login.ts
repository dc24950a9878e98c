import { loginToken } from '@svc/contracts/login-request'
import {
  type AskedLogin,
  approveLoginRequest,
  denyLoginRequest,
  readLoginRequest,
} from '@svc/domain/login-requests/decide'
import { listOwnWorkspaces } from '@svc/domain/people/own-workspaces'
import type { Person } from '@svc/domain/entities/people/person'
import type { HttpApp } from '@svc/http/create-app'
import type { HttpContext } from '@svc/http/request-context'
import { html } from 'hono/html'
import type { ApiParts } from '../parts.ts'
import { personPage } from './answer-page.ts'
import { personForm, takeForm } from './form.ts'
import { type Html, redirectTo, renderPage } from './page.ts'
import { pagePaths } from './paths.ts'
import { actAs, chosenOf, workspaceChoice } from './workspaces.ts'

const path = pagePaths.approveLogin

/** Where `svc login` sends a person. */
export function bindApproveLogin(app: HttpApp, parts: ApiParts): void {
  const { domain, limiter } = parts
  app.get(
    path,
    personPage(parts, (context, person) => show(parts, context, person)),
  )
  app.post(
    path,
    personPage(parts, async (context, person) => {
      const fields = await takeForm(parts, context, person, ({ request = '' }) => about(request))
      const { request = '', workspace = '', decision } = fields
      const through = { domain, from: limiter.networkOf(context) }
      if (decision === 'approve') {
        await approveLoginRequest(through, await actAs(parts, context, workspace), request)
      } else {
        await denyLoginRequest(through, person, request)
      }
      return redirectTo(`${path}?${new URLSearchParams({ request }).toString()}`)
    }),
  )
}

function about(handle: string): string {
  return `${path} ${handle}`
}

async function show(parts: ApiParts, context: HttpContext, person: Person): Promise<Response> {
  const { domain } = parts
  const handle = context.req.query('request') ?? ''
  const asked = await readLoginRequest({ domain }, person, handle)
  if (asked.state !== 'open') return renderPage({ ...outcomes[asked.state], person })
  const workspaces = await listOwnWorkspaces({ domain }, person)
  const chosen = chosenOf(workspaces, context.req.query('workspace'))
  const form = personForm(domain, person, {
    action: path,
    about: about(handle),
    body: html`<input type="hidden" name="request" value="${handle}" />
      ${workspaceChoice(workspaces, chosen)}
      <p class="actions">
        ${chosen ? html`<button name="decision" value="approve">Sign it in</button>` : ''}
        <button class="second" name="decision" value="deny" formnovalidate>Deny</button>
      </p>`,
  })
  return renderPage({
    title: 'Sign in a command line?',
    person,
    body: html`${describeRequest(asked)} ${form}`,
  })
}

function describeRequest({ code, device, from }: AskedLogin): Html {
  return html`<p>
      <code>svc login</code> asks to work as you. Compare the code with the one in your terminal:
    </p>
    <p class="code"><code>${code}</code></p>
    <dl>
      <dt>Calls itself</dt>
      <dd>${device}</dd>
      <dt>Asks from</dt>
      <dd>${from}</dd>
      <dt>Will get</dt>
      <dd>
        a token with the preset <code>${loginToken.preset}</code>: for ${loginToken.days} days it
        may do whatever you may do in the workspace
      </dd>
    </dl>
    <p class="warning">
      If you have not just started <code>svc login</code> yourself, or the codes differ, deny it.
    </p>`
}

const outcomes: Record<Exclude<AskedLogin['state'], 'open'>, { title: string; body: Html }> = {
  approved: {
    title: 'It is signed in',
    body: html`<p role="status">
      Go back to your terminal. You can end this at any time among the tokens of
      <a href="${pagePaths.account}">your account</a>.
    </p>`,
  },
  denied: {
    title: 'Denied',
    body: html`<p role="status">That command line was not signed in. You can close this page.</p>`,
  },
  over: {
    title: 'This has ended',
    body: html`<p>
      The request is over: it was answered, or is older than ten minutes. Run
      <code>svc login</code> again for a new one.
    </p>`,
  },
}
