import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { sql } from 'kysely'
import { authorize, whereVisibleTo } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import type { UseCase } from '../use-case.ts'
import { listStatuses, scopeOfProject, requireProject } from '../entities/projects/queries.ts'
import { viewProject, viewStatus } from '../entities/projects/views.ts'

export async function listProjects(
  { domain }: UseCase,
  actor: Actor,
): Promise<RouteOutput<'listProjects'>> {
  authorize(actor, 'project:read')
  const projects = await domain.db
    .selectFrom('projects')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where(whereVisibleTo(actor, { projectId: sql`id` }))
    .orderBy('slug')
    .execute()
  return { projects: projects.map(viewProject) }
}

export async function getProject(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'getProject'>,
): Promise<RouteOutput<'getProject'>> {
  const project = await requireProject(domain.db, actor.workspaceId, input.id)
  authorize(actor, 'project:read', scopeOfProject(project, input.id))
  return { project: viewProject(project) }
}

export async function listProjectStatuses(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listProjectStatuses'>,
): Promise<RouteOutput<'listProjectStatuses'>> {
  const project = await requireProject(domain.db, actor.workspaceId, input.id)
  authorize(actor, 'project:read', scopeOfProject(project, input.id))
  const statuses = await listStatuses(domain.db, project)
  return { project: viewProject(project), statuses: statuses.map(viewStatus) }
}
