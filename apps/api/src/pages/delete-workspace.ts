import { ServiceError } from '@svc/contracts/errors'
import { Uuid } from '@svc/contracts/ids'
import { limits } from '@svc/contracts/limits'
import type { OwnWorkspace } from '@svc/contracts/workspace'
import type { Person } from '@svc/domain/entities/people/person'
import { routeHandlers } from '@svc/domain/handlers/routes'
import { listDeletedWorkspaces, listOwnWorkspaces } from '@svc/domain/people/own-workspaces'
import { restoreWorkspaceOfPerson } from '@svc/domain/workspaces/restore'
import type { HttpApp } from '@svc/http/create-app'
import { html } from 'hono/html'
import { backToAccount } from './account.ts'
import type { ApiParts } from '../parts.ts'
import { personPage } from './answer-page.ts'
import { parseFields, personForm, takeForm } from './form.ts'
import { renderPage } from './page.ts'
import { pagePaths } from './paths.ts'
import { actAs } from './workspaces.ts'

/** Where an owner deletes a workspace by its name, and puts it back: at their account, since nobody is in one that is deleted. */
export function bindDeleteWorkspace(app: HttpApp, parts: ApiParts): void {
  const { domain, limiter } = parts
  app.get(
    pagePaths.deleteWorkspace,
    personPage(parts, async (context, person) =>
      show(parts, person, await owned(parts, person, context.req.query('workspace'))),
    ),
  )
  app.post(
    pagePaths.deleteWorkspace,
    personPage(parts, async (context, person) => {
      const { workspace = '', name } = await takeForm(parts, context, person)
      const useCase = { domain, from: limiter.networkOf(context) }
      const actor = await actAs(parts, context, workspace).catch(async (error: unknown) => {
        const deleted = await listDeletedWorkspaces({ domain }, person)
        if (!deleted.some(({ id }) => id === workspace)) throw error
      })
      // sent again
      if (actor === undefined) return backToAccount('deleted')
      await routeHandlers.deleteWorkspace(
        useCase,
        actor,
        parseFields('deleteWorkspace', 'body', { name }),
      )
      return backToAccount('deleted')
    }),
  )
  app.post(
    pagePaths.restoreWorkspace,
    personPage(parts, async (context, person) => {
      const { workspace } = await takeForm(parts, context, person)
      const { data: id } = Uuid.safeParse(workspace)
      if (id === undefined) {
        throw new ServiceError(
          'validation_failed',
          'This form names no workspace. Open the page anew.',
        )
      }
      const useCase = { domain, from: limiter.networkOf(context) }
      await restoreWorkspaceOfPerson(useCase, person, { id })
      return backToAccount('restored')
    }),
  )
}

/** The one that an address names. */
async function owned(
  { domain }: ApiParts,
  person: Person,
  named: string | undefined,
): Promise<OwnWorkspace> {
  const all = await listOwnWorkspaces({ domain }, person)
  const found = all.find(({ id, slug }) => id === named || slug === named)
  if (found?.role === 'owner') return found
  throw new ServiceError(
    'forbidden',
    'Only an owner of a workspace deletes it. Choose one of yours at your account.',
  )
}

function show({ domain }: ApiParts, person: Person, { id, name, slug }: OwnWorkspace) {
  return renderPage({
    title: `Delete ${name}`,
    person,
    body: html`<p>
        In that moment nobody is let into <strong>${name}</strong> (<code>${slug}</code>) any more:
        tokens, browsers, connected applications, runners and agents. Its runs are cancelled, and
        nothing is sent to its webhooks.
      </p>
      <p>
        For ${limits.restorableDays} days an owner puts it back, at their account. Then all of it
        goes for good.
      </p>
      ${personForm(domain, person, {
        action: pagePaths.deleteWorkspace,
        body: html`<input type="hidden" name="workspace" value="${id}" />
          <label>Its name, to be sure <input name="name" required autocomplete="off" /></label>
          <button class="danger">Delete the workspace</button>`,
      })}
      <p><a href="${pagePaths.account}">Back to your account</a></p>`,
  })
}
