import { ServiceError, isServiceError } from '@svc/contracts/errors'
import type { Actor } from '@svc/domain/common/actor'
import type { OwnWorkspace } from '@svc/contracts/workspace'
import { type HttpContext, readPresented } from '@svc/http/request-context'
import { html } from 'hono/html'
import type { ApiParts } from '../parts.ts'
import type { Html } from './page.ts'

/** The person of this page at work in that workspace. */
export async function actAs(
  { authenticate }: ApiParts,
  context: HttpContext,
  workspace: string,
): Promise<Actor> {
  return authenticate({ ...readPresented(context), workspace }).catch((error: unknown) => {
    if (!isServiceError(error) || error.code !== 'unauthenticated') throw error
    throw new ServiceError('not_found', 'You are no member of that workspace. Choose another.')
  })
}

/** The workspace with that id or slug; the first one where none is named that the person is a member of. */
export function chosenOf(
  workspaces: readonly OwnWorkspace[],
  named: string | undefined,
): OwnWorkspace | undefined {
  return workspaces.find(({ id, slug }) => id === named || slug === named) ?? workspaces[0]
}

/** The field `workspace` of a form. */
export function workspaceChoice(
  workspaces: readonly OwnWorkspace[],
  chosen: OwnWorkspace | undefined,
): Html {
  if (workspaces.length === 0) return html`<p class="warning">${inNone}</p>`
  return html`<label
    >Workspace
    <select name="workspace" required>
      ${workspaces.map(
        ({ id, name, slug, role }) =>
          html`<option value="${id}" ${id === chosen?.id ? 'selected' : ''}>
            ${name} (${slug}), ${role}
          </option>`,
      )}
    </select>
  </label>`
}

export const inNone = 'You are a member of no workspace. Ask an admin for an invitation.'
