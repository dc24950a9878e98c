import { isUuid } from '@svc/contracts/ids'
import type { Queryable } from '@svc/db/database'
import type { ProjectRow } from '@svc/db/tables'
import { sql } from 'kysely'
import type { AccessScope } from '../../access/authorize.ts'
import { notFound } from '../../common/errors.ts'
import type { Id } from '../../common/ids.ts'

export function findProject(
  db: Queryable,
  workspaceId: string,
  ref: string,
): Promise<ProjectRow | undefined> {
  return selectProject(db, workspaceId, ref).executeTakeFirst()
}

export function selectProject(db: Queryable, workspaceId: string, ref: string) {
  return db
    .selectFrom('projects')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where(isUuid(ref) ? 'id' : 'slug', '=', ref)
}

/** What is checked before the deliveries of a project; of none where none is given. */
export function selectChecks(workspaceId: string, project: Id | null) {
  return sql<Pick<ProjectRow, 'checks'>>`
    select checks from projects where workspace_id = ${workspaceId} and id = ${project}`
}

export async function requireProject(
  db: Queryable,
  workspaceId: string,
  ref: string,
): Promise<ProjectRow> {
  const project = await findProject(db, workspaceId, ref)
  if (!project) throw notFound('project', ref)
  return project
}

export function scopeOfProject(project: ProjectRow, ref: string): AccessScope {
  const missing = () => notFound('project', ref)
  return { projectId: project.id, missionId: null, objectiveId: null, missing }
}

export function listStatuses(db: Queryable, project: Pick<ProjectRow, 'workspace_id' | 'id'>) {
  return db
    .selectFrom('project_statuses')
    .selectAll()
    .where('workspace_id', '=', project.workspace_id)
    .where('project_id', '=', project.id)
    .orderBy('position')
    .execute()
}
