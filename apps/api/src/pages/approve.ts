import { ServiceError } from '@svc/contracts/errors'
import { Uuid } from '@svc/contracts/ids'
import { inWords } from '@svc/contracts/permission-words'
import { approveRequest } from '@svc/domain/oauth/approve'
import { type Choice, listChoices } from '@svc/domain/oauth/choices'
import { denyRequest } from '@svc/domain/oauth/deny'
import { describeRedirect } from '@svc/domain/oauth/redirect-uri'
import {
  type AuthorizationRequest,
  findRequest,
  refuseOtherResource,
} from '@svc/domain/oauth/requests'
import { canonicalResource } from '@svc/domain/oauth/resource'
import type { Person } from '@svc/domain/entities/people/person'
import type { HttpApp } from '@svc/http/create-app'
import { html } from 'hono/html'
import { answerAddress } from '../oauth/redirect.ts'
import type { ApiParts } from '../parts.ts'
import { personPage } from './answer-page.ts'
import { formToken, readForm, requireFormToken } from './form.ts'
import { type Html, renderPage } from './page.ts'
import { pagePaths } from './paths.ts'
import { renderInterstitialRedirect } from './interstitial-redirect.ts'

/** Where a person lets an application in, or does not; asked every time, however often it was let in before. */
export function bindApprove(app: HttpApp, parts: ApiParts): void {
  const { domain, limiter, baseUrl } = parts
  app.get(
    pagePaths.approve,
    personPage(parts, async (context, person) => {
      const handle = context.req.query('request') ?? ''
      const request = await findRequest(domain.db, handle)
      refuseOtherResource(request, canonicalResource(baseUrl()))
      return showConsent(parts, { person, handle, request })
    }),
  )
  app.post(
    pagePaths.approve,
    personPage(parts, async (context, person) => {
      const fields = await readForm(context, baseUrl())
      const { request: handle = '', decision, workspace } = fields
      requireFormToken(domain, person, about(handle), fields)
      const from = limiter.networkOf(context)
      if (decision === 'deny') {
        const request = await denyRequest({ domain, from }, handle)
        return goBack(parts, { person, request, answer: { error: 'access_denied' } })
      }
      const workspaceId = Uuid.safeParse(workspace)
      if (decision !== 'allow' || !workspaceId.success) throw undecided()
      const approval = {
        handle,
        workspaceId: workspaceId.data,
        resource: canonicalResource(baseUrl()),
      }
      const { request, code } = await approveRequest({ domain, from }, person, approval)
      return goBack(parts, { person, request, answer: { code } })
    }),
  )
}

/** What the token of the form is bound to, in addition to the sign-in. */
function about(handle: string): string {
  return `${pagePaths.approve} ${handle}`
}

interface Answered {
  person: Person
  request: AuthorizationRequest
  answer: { code: string } | { error: string }
}

/** An application that took the answer leaves this page where it is: so it says what has happened. */
function goBack({ baseUrl }: ApiParts, { person, request, answer }: Answered): Promise<Response> {
  const { redirect_uri: redirectUri, state, client_name: name } = request
  const addressee = { redirectUri, state: state ?? undefined, issuer: baseUrl() }
  return renderInterstitialRedirect({
    title: 'code' in answer ? 'Allowed' : 'Denied',
    person,
    address: answerAddress(addressee, answer),
    message: html`Going back to <strong>${name}</strong> …`,
    link: `Go back to ${name}`,
    after: html`<p class="quiet">Once you are back there, you can close this window.</p>`,
  })
}

function undecided(): ServiceError {
  return new ServiceError('validation_failed', 'Choose a workspace, then allow or deny.')
}

interface Asked {
  person: Person
  handle: string
  request: AuthorizationRequest
}

async function showConsent({ domain }: ApiParts, asked: Asked): Promise<Response> {
  const { person, handle, request } = asked
  const choices = await listChoices({ domain }, person)
  const { host, isThisComputer } = describeRedirect(request.redirect_uri)
  return renderPage({
    title: 'Let an application in?',
    person,
    body: html`<p>
        An application that calls itself <strong>${request.client_name}</strong> asks for access in
        your name. It chose that name itself: nobody has checked it.
      </p>
      <p>Your answer goes to <strong>${host}</strong>.</p>
      ${isThisComputer ? warning : ''}
      <form method="post" action="${pagePaths.approve}">
        ${formToken(domain, person, about(handle))}
        <input type="hidden" name="request" value="${handle}" />
        ${choices.length === 0 ? nowhere : chooseWorkspace(choices)}
        <p class="actions">
          ${choices.length === 0 ? '' : html`<button name="decision" value="allow">Allow</button>`}
          <button class="second" name="decision" value="deny">Deny</button>
        </p>
      </form>
      <p class="quiet">
        The access lasts 90 days at most. You can end it at any time in
        <a href="${pagePaths.account}">your account</a>.
      </p>`,
  })
}

const warning = html`<p class="refusal">
  That is a program on this computer. Allow it only if you have just started it yourself.
</p>`

const nowhere = html`<p>
  You are a member of no workspace, so there is nothing to give access to.
</p>`

function chooseWorkspace(choices: readonly Choice[]): Html {
  return html`<fieldset>
    <legend>In which workspace, and what may it do there?</legend>
    ${choices.map(
      ({ workspaceId, workspaceName, role, permissions }, index) =>
        html`<label class="choice">
            <input
              type="radio"
              name="workspace"
              value="${workspaceId}"
              required
              ${index === 0 ? 'checked' : ''}
            />
            <span>${workspaceName}, where you are ${role}</span>
          </label>
          <ul>
            ${inWords(permissions).map((words) => html`<li>${words}</li>`)}
          </ul>`,
    )}
  </fieldset>`
}
