import { randomUUID } from 'node:crypto'
import { describeBrowser } from '@svc/contracts/describe-browser'
import { appPages, appPath } from '@svc/contracts/links'
import { TokenPreset } from '@svc/contracts/permissions'
import type { SignIn } from '@svc/contracts/sign-in'
import type { UserToken } from '@svc/contracts/user-token'
import type { Domain } from '@svc/domain/domain'
import type { OwnWorkspace } from '@svc/contracts/workspace'
import type { DeletedWorkspace } from '@svc/domain/people/own-workspaces'
import type { Person } from '@svc/domain/entities/people/person'
import { html } from 'hono/html'
import { personForm } from './form.ts'
import { newPasswordField } from './new-password.ts'
import type { Html } from './page.ts'
import { pagePaths } from './paths.ts'
import { inNone, workspaceChoice } from './workspaces.ts'

/** What the sections of the account page show. */
export interface Shown {
  domain: Domain
  person: Person
  workspaces: readonly OwnWorkspace[]
  /** Whose tokens are shown. */
  chosen: OwnWorkspace | undefined
  minted: readonly UserToken[]
  granted: readonly UserToken[]
}

export function workspaceSection({ workspaces, chosen }: Shown): Html {
  const rows = workspaces.map(
    ({ name, slug, role }) =>
      html`<li>
        <span
          ><a href="${appPath(slug, appPages.needs())}">${name}</a>
          <span class="quiet">${slug}</span></span
        >
        <span>${role}${role === 'owner' ? deleteLink({ slug, name }) : ''}</span>
      </li>`,
  )
  const choice = html`<form method="get" action="${pagePaths.account}">
    ${workspaceChoice(workspaces, chosen)}
    <button class="second">Show its tokens</button>
  </form>`
  return html`<section>
    <h2>Your workspaces</h2>
    ${rows.length === 0 ? html`<p>${inNone}</p>` : ''}
    <ul class="rows">
      ${rows}
    </ul>
    ${workspaces.length > 1 ? choice : ''}
  </section>`
}

function deleteLink({ slug, name }: Pick<OwnWorkspace, 'slug' | 'name'>): Html {
  const query = new URLSearchParams({ workspace: slug }).toString()
  return html`,
    <a href="${pagePaths.deleteWorkspace}?${query}" aria-label="Delete ${name} …">Delete …</a>`
}

export function deletedSection(
  { domain, person }: Shown,
  deleted: readonly DeletedWorkspace[],
): Html {
  if (deleted.length === 0) return html``
  const rows = deleted.map(
    ({ id, name, slug, restorableUntil }) =>
      html`<li>
        <span
          >${name}
          <span class="quiet"
            >${slug}, gone for good on ${moment(restorableUntil.toISOString())}</span
          ></span
        >
        ${personForm(domain, person, {
          action: pagePaths.restoreWorkspace,
          body: html`<input type="hidden" name="workspace" value="${id}" />
            <button class="second" aria-label="Restore ${name}">Restore</button>`,
        })}
      </li>`,
  )
  return html`<section>
    <h2>Deleted workspaces</h2>
    <p>
      Nobody is let in, and their runs stay cancelled. All else is as it was once you restore one.
    </p>
    <ul class="rows">
      ${rows}
    </ul>
  </section>`
}

/** Each preset as a person would say it. */
const presetWords: Readonly<Record<TokenPreset, string>> = {
  full: 'everything that you may',
  mission_lifecycle: 'plan missions and work on them',
  runner: 'carry out runs on a machine',
  read_only: 'read',
  webhook_consumer: 'read what webhooks point to',
}

export function tokenSection({ domain, person, chosen, minted }: Shown): Html {
  if (!chosen) return html``
  const form = personForm(domain, person, {
    action: pagePaths.createToken,
    body: html`<input type="hidden" name="workspace" value="${chosen.id}" />
      <input type="hidden" name="key" value="${randomUUID()}" />
      <label>What it is for <input name="label" maxlength="200" required /></label>
      <label
        >What it may do
        <select name="preset">
          ${TokenPreset.options.map(
            (preset) => html`<option value="${preset}">${preset}: ${presetWords[preset]}</option>`,
          )}
        </select>
      </label>
      <label
        >Good for how many days
        <input type="number" name="days" value="90" min="1" max="366" required />
      </label>
      <button>Create a token</button>`,
  })
  return html`<section>
    <h2>Tokens in ${chosen.name}</h2>
    ${minted.length === 0 ? html`<p>You have none.</p>` : ''}
    <ul class="rows">
      ${minted.map((token) => tokenRow({ domain, person, chosen }, token))}
    </ul>
    <h3>Create one</h3>
    ${form}
  </section>`
}

export function applicationSection({ domain, person, chosen, granted }: Shown): Html {
  if (!chosen) return html``
  return html`<section>
    <h2>Connected applications in ${chosen.name}</h2>
    ${granted.length === 0 ? html`<p>No application acts for you.</p>` : ''}
    <ul class="rows">
      ${granted.map((token) => tokenRow({ domain, person, chosen }, token))}
    </ul>
  </section>`
}

function tokenRow(
  { domain, person, chosen }: Pick<Shown, 'domain' | 'person'> & { chosen: OwnWorkspace },
  { id, label, prefix, preset, lastUsedAt, expiresAt }: UserToken,
): Html {
  const used = lastUsedAt === null ? 'never used' : html`last used ${moment(lastUsedAt)}`
  return html`<li>
    <span>
      <strong>${label}</strong><br />
      <span class="quiet">
        <code>${prefix}…</code> ${preset ?? 'chosen permissions'}, ${used}, ends
        ${moment(expiresAt)}
      </span>
    </span>
    ${personForm(domain, person, {
      action: pagePaths.revokeToken,
      body: html`<input type="hidden" name="workspace" value="${chosen.id}" />
        <input type="hidden" name="id" value="${id}" />
        <button class="danger" aria-label="Revoke ${label}">Revoke</button>`,
    })}
  </li>`
}

export function sessionSection({ domain, person }: Shown, sessions: readonly SignIn[]): Html {
  const rows = sessions.map(
    ({ id, browser, from, lastUsedAt, isCurrent }) =>
      html`<li>
        <span>
          <strong>${describeBrowser(browser)}</strong>${isCurrent ? ', this one' : ''}<br />
          <span class="quiet"
            >${from ?? 'from an unknown network'}, last used ${moment(lastUsedAt)}</span
          >
        </span>
        ${personForm(domain, person, {
          action: pagePaths.endSession,
          body: html`<input type="hidden" name="id" value="${id}" />
            <button class="danger" aria-label="Sign out ${describeBrowser(browser)}">
              Sign out
            </button>`,
        })}
      </li>`,
  )
  return html`<section>
    <h2>Where you are signed in</h2>
    <ul class="rows">
      ${rows}
    </ul>
    <form method="get" action="${pagePaths.endSessions}">
      <button class="danger">Sign out everywhere …</button>
    </form>
  </section>`
}

export function passwordSection({ domain, person }: Shown): Html {
  return html`<section>
    <h2>Password</h2>
    ${personForm(domain, person, {
      action: pagePaths.changePassword,
      body: html`<input
          type="hidden"
          name="email"
          value="${person.email}"
          autocomplete="username"
        />
        <label
          >Current password
          <input type="password" name="currentPassword" autocomplete="current-password" required />
        </label>
        ${newPasswordField({ name: 'newPassword', also: 'Every other browser is signed out.' })}
        <button>Change password</button>`,
    })}
  </section>`
}

const format = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

function moment(at: string): Html {
  return html`<time datetime="${at}">${format.format(new Date(at))} UTC</time>`
}
