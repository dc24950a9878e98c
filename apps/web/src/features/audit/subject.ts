import type { AuditEntry } from '@svc/contracts/audit'
import { pathTo } from '../../shell/routes.ts'

/** What an entry is about, as a page shows it. */
export interface Subject {
  /** The display id of a mission or objective. */
  displayId?: string
  /** What it is or was called. */
  name?: string
  /** Where it is looked at. */
  path?: string
}

/** By the name that it had then; `slugOf` knows the projects. */
export function subjectOf(
  { action, actor, projectId, targetId, details }: AuditEntry,
  slugOf: (projectId: string) => string | undefined,
): Subject {
  const said = (name: string) => (typeof details[name] === 'string' ? details[name] : undefined)
  const own = actor?.id === targetId ? actor.name : undefined
  const name = said('title') ?? said('name') ?? said('label') ?? said('email') ?? own
  const displayId = said('displayId')
  const path = pathOf(action, targetId, projectId === null ? undefined : slugOf(projectId))
  const objective = said('objectiveId')
  return {
    ...(displayId !== undefined && { displayId }),
    ...(name !== undefined && { name }),
    ...(path !== undefined && { path }),
    ...(action === 'attachment.deleted' &&
      objective !== undefined && { path: pathTo('objective', { objective }) }),
  }
}

function pathOf(
  action: AuditEntry['action'],
  id: string,
  project: string | undefined,
): string | undefined {
  if (action === 'webhook.deleted') return undefined
  if (action.startsWith('webhook.')) return pathTo('webhook', { webhook: id })
  const isOfProject = action === 'launch_settings.changed' || action === 'status.deleted'
  return isOfProject && project !== undefined ? pathTo('board', { project }) : undefined
}

/** Whoever did it; somebody who did not prove who they are may be known to a provider. */
export function doerOf({ actor, from, details }: AuditEntry): string {
  if (actor !== null) return actor.name
  if (from === null) return 'the server'
  const { provider } = details
  return typeof provider === 'string' ? `somebody by ${provider}` : 'somebody'
}
