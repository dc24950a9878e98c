import { isUuid } from '@svc/contracts/ids'
import type { Queryable } from '@svc/db/database'
import type { ProjectRow } from '@svc/db/tables'
import type { AccessScope } from '../../access/authorize.ts'
import { notFound } from '../../common/errors.ts'

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
  const missing = notFound('project', ref)
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
