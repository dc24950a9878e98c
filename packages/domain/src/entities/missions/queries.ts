import { isUuid } from '@svc/contracts/ids'
import type { StatusType } from '@svc/contracts/states'
import type { Queryable } from '@svc/db/database'
import type { MissionRow, ProjectStatusRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import type { AccessScope } from '../../access/authorize.ts'
import { notFound } from '../../common/errors.ts'
import type { Id } from '../../common/ids.ts'

/** A mission with what its display id and its status are read from. */
export interface MissionRecord extends MissionRow {
  project_slug: string
  status_type: StatusType
  status_label: string
}

/** Over `m`, `p` and `s`: missions, projects and statuses. */
export const recordColumns = sql`
  m.*, p.slug as project_slug, s.type as status_type, s.label as status_label`

const record = sql`
  select ${recordColumns}
    from missions m
    join projects p on p.workspace_id = m.workspace_id and p.id = m.project_id
    join project_statuses s on s.workspace_id = m.workspace_id and s.id = m.status_id`

/** By UUID or display id, always inside the workspace. */
export function whereMission(workspaceId: string, ref: string) {
  return sql`${whereMissionEver(workspaceId, ref)} and m.deleted_at is null`
}

/** The same, deleted or not. */
export function whereMissionEver(workspaceId: string, ref: string) {
  const within = sql`m.workspace_id = ${workspaceId}`
  if (isUuid(ref)) return sql`${within} and m.id = ${ref}`
  const [slug, sequence] = ref.split(':')
  return sql`${within} and p.slug = ${slug ?? ''} and m.sequence = ${Number(sequence)}`
}

export async function findMission(
  db: Queryable,
  workspaceId: string,
  ref: string,
): Promise<MissionRecord | undefined> {
  const found = await selectMission(workspaceId, ref).execute(db)
  return found.rows[0]
}

export function selectMission(workspaceId: string, ref: string): RawBuilder<MissionRecord> {
  return sql<MissionRecord>`${record} where ${whereMission(workspaceId, ref)}`
}

/** Deleted or not. */
export function selectMissionEver(workspaceId: string, id: Id): RawBuilder<MissionRecord> {
  return sql<MissionRecord>`${record} where m.workspace_id = ${workspaceId} and m.id = ${id}`
}

/** What a mission may be moved to, in the order of its project. */
export function selectStatuses({
  workspace_id,
  project_id,
}: Pick<MissionRow, 'workspace_id' | 'project_id'>) {
  return sql<ProjectStatusRow>`
    select * from project_statuses
     where workspace_id = ${workspace_id} and project_id = ${project_id} order by position`
}

export async function requireMission(
  db: Queryable,
  workspaceId: string,
  ref: string,
): Promise<MissionRecord> {
  const mission = await findMission(db, workspaceId, ref)
  if (!mission) throw notFound('mission', ref)
  return mission
}

/** `ref` is what the caller sent: a refusal repeats that and reveals nothing else. */
export function scopeOfMission(mission: MissionRow, ref: string): AccessScope {
  const { id: missionId, project_id: projectId } = mission
  return { projectId, missionId, objectiveId: null, missing: () => notFound('mission', ref) }
}
