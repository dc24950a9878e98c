import { describeBrowser } from '@svc/contracts/describe-browser'
import type { HeldAccess } from '@svc/contracts/held-access'
import { html } from 'hono/html'
import type { Html } from './page.ts'

type Kind = keyof HeldAccess

const headings: Readonly<Record<Kind, string>> = {
  sessions: 'Browsers that are signed in',
  identities: 'Linked accounts at providers',
  tokens: 'Tokens',
  applications: 'Connected applications',
  runners: 'Runners that stop',
  runs: 'Runs that stop with them',
}

/** What a person is asked about before it ends. */
export function heldList(held: HeldAccess, kinds: readonly Kind[]): Html {
  const shown = kinds.filter((kind) => held[kind].newest.length > 0)
  return html`${shown.map((kind) => sectionOf(kind, rowsOf(held, kind), held[kind].more))}`
}

/** Something acts for the person that is no browser of theirs. */
export function actsForThem({ tokens, applications }: HeldAccess): boolean {
  return tokens.newest.length > 0 || applications.newest.length > 0
}

function sectionOf(kind: Kind, rows: Html[], more: boolean): Html {
  return html`<section>
    <h2>${headings[kind]}</h2>
    <ul class="rows">
      ${rows.map((row) => html`<li><span>${row}</span></li>`)}
      ${more ? html`<li><span class="quiet">and more</span></li>` : ''}
    </ul>
  </section>`
}

function rowsOf(held: HeldAccess, kind: Kind): Html[] {
  if (kind === 'sessions') {
    return held.sessions.newest.map(
      ({ browser, from }) =>
        html`<strong>${describeBrowser(browser)}</strong>
          <span class="quiet">${from ?? 'from an unknown network'}</span>`,
    )
  }
  if (kind === 'identities') {
    return held.identities.newest.map(
      ({ issuer, subject }) =>
        html`<strong>${subject}</strong> <span class="quiet">at ${issuer}</span>`,
    )
  }
  if (kind === 'runners') {
    return held.runners.newest.map(
      ({ workspace, label }) =>
        html`<strong>${label}</strong> <span class="quiet">in ${workspace}</span>`,
    )
  }
  if (kind === 'runs') {
    return held.runs.newest.map(
      ({ workspace, objective, runner }) =>
        html`<strong>${objective}</strong>
          <span class="quiet">in ${workspace}, on the runner ${runner}</span>`,
    )
  }
  return held[kind].newest.map(
    ({ workspace, label, prefix }) =>
      html`<strong>${label}</strong>
        <span class="quiet"><code>${prefix}…</code> in ${workspace}</span>`,
  )
}
