import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { gather } from '@svc/db/gather'
import type { ProjectStatusRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize, whereVisibleTo } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import type { UseCase } from '../use-case.ts'
import { notFound } from '../common/errors.ts'
import { requireProject, scopeOfProject, selectProject } from '../entities/projects/queries.ts'
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

/** In one statement: whoever changes a status is asked for the revision that belongs to what they have seen. */
export async function listProjectStatuses(
  { domain: { db } }: UseCase,
  actor: Actor,
  { id }: RouteInput<'listProjectStatuses'>,
): Promise<RouteOutput<'listProjectStatuses'>> {
  const { projects, statuses } = await gather(db, {
    projects: selectProject(db, actor.workspaceId, id),
    statuses: sql<ProjectStatusRow>`
      select s.* from (${selectProject(db, actor.workspaceId, id)}) p
        join project_statuses s on s.workspace_id = p.workspace_id and s.project_id = p.id
       order by s.position`,
  })
  const [project] = projects
  if (!project) throw notFound('project', id)
  authorize(actor, 'project:read', scopeOfProject(project, id))
  return { project: viewProject(project), statuses: statuses.map(viewStatus) }
}
