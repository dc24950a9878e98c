import { appPages, appPath } from '@svc/contracts/links'
import { shellWord } from '@svc/contracts/shell-words'
import type { Person } from '@svc/domain/entities/people/person'
import { listOwnWorkspaces } from '@svc/domain/people/own-workspaces'
import type { HttpApp } from '@svc/http/create-app'
import type { HttpContext } from '@svc/http/request-context'
import { html } from 'hono/html'
import { personPage } from '../pages/answer-page.ts'
import { personForm } from '../pages/form.ts'
import { redirectTo, renderPage } from '../pages/page.ts'
import { pagePaths } from '../pages/paths.ts'
import type { ApiParts } from '../parts.ts'
import type { WebApp } from '../web-app.ts'
import { readWebFile } from './web-files.ts'

/** Nothing but our own files, none of which may make text into script. The one policy is for the address of a worker. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types svc',
].join('; ')

const documentHeaders = {
  'content-security-policy': policy,
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
}

/**
 * The web app: one document for all of its addresses, which only somebody who is signed in and a member is given, and
 * the files that it loads, whose names say what is in them.
 */
export function bindWeb(app: HttpApp, parts: ApiParts, webApp: () => WebApp): void {
  app.get('/assets/:name', async (context, next) => {
    const web = webApp()
    const name = context.req.param('name')
    if (web.state !== 'built' || !/^\w[\w.-]*$/.test(name)) return next()
    const accepted = context.req.header('accept-encoding')
    const file = await readWebFile(web.folder, `assets/${name}`, accepted)
    if (file === undefined) return next()
    const headers = { ...file.headers, 'cache-control': 'public, max-age=31536000, immutable' }
    return new Response(file.bytes, { headers })
  })
  app.get(
    pagePaths.front,
    personPage(parts, async (_context, person) => {
      const [first] = await listOwnWorkspaces({ domain: parts.domain }, person)
      if (first === undefined) return inNoWorkspace(parts, person)
      return redirectTo(
        webApp().state !== 'absent' ? appPath(first.slug, appPages.needs()) : pagePaths.account,
      )
    }),
  )
  const answer = personPage(parts, (context, person) => showApp(parts, webApp(), context, person))
  app.get('/w/:workspace', answer)
  app.get('/w/:workspace/*', answer)
}

async function showApp(
  parts: ApiParts,
  web: WebApp,
  context: HttpContext,
  person: Person,
): Promise<Response> {
  const workspaces = await listOwnWorkspaces({ domain: parts.domain }, person)
  const slug = context.req.param('workspace')
  if (!workspaces.some((one) => one.slug === slug)) return notYours(person)
  if (web.state === 'building') return beingBuilt(person)
  const document =
    web.state === 'built'
      ? await readWebFile(web.folder, 'index.html', context.req.header('accept-encoding'))
      : undefined
  if (document) {
    return new Response(document.bytes, { headers: { ...document.headers, ...documentHeaders } })
  }
  const reason =
    web.state === 'absent' ? web.reason : 'Its files are gone. Start the service again.'
  return renderPage({
    title: 'The web app is not here',
    status: 503,
    person,
    body: html`<p>This service runs without its web app. ${reason}</p>
      <p><a href="${pagePaths.account}">Your account</a></p>`,
  })
}

/** Everything here is in a workspace: how whoever is in none gets into one. */
function inNoWorkspace({ domain }: ApiParts, person: Person): Promise<Response> {
  const { email, userName } = person
  const owner = `--email ${shellWord(email)} --name ${shellWord(userName)}`
  return renderPage({
    title: 'You are in no workspace yet',
    person,
    body: html`<p>Signed in as <strong>${userName}</strong>, ${email}.</p>
      <p>
        Work here is done in workspaces. If your team has one, ask an admin of it to invite
        <strong>${email}</strong>, and open the link that they send you. They make it at Access in
        the web app, or by this:
      </p>
      <p><code>svc invite ${shellWord(email)}</code></p>
      <p>For a workspace of your own, ask whoever runs this service for this:</p>
      <p>
        <code>svc-admin create-owner --workspace team --workspace-name Team ${owner}</code>
      </p>
      <p class="actions">
        <a class="button" href="${pagePaths.front}">Look again</a>
        <a href="${pagePaths.account}">Your account</a>
      </p>
      ${personForm(domain, person, {
        action: pagePaths.signOut,
        body: html`<button class="second">Sign out</button>`,
      })}`,
  })
}

function beingBuilt(person: Person): Promise<Response> {
  return renderPage({
    title: 'One moment',
    status: 503,
    person,
    headers: { refresh: '1', 'retry-after': '1' },
    body: html`<p role="status">
      This is the first start of this version: its pages are being made. That takes a few seconds,
      and then this page goes on by itself.
    </p>`,
  })
}

function notYours(person: Person): Promise<Response> {
  return renderPage({
    title: 'Not here, or not yours',
    status: 404,
    person,
    body: html`<p>You are a member of no workspace with this address.</p>
      <p>
        <a href="${pagePaths.front}">To your own</a>, or to
        <a href="${pagePaths.account}">your account</a>.
      </p>`,
  })
}
