import { isUuid } from '@svc/contracts/ids'
import type { StatusType } from '@svc/contracts/states'
import type { Queryable } from '@svc/db/database'
import type { MissionRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import type { Place } from '../access/authorize.ts'
import { notFound } from '../errors.ts'

/** A mission with what its display id and its status are read from. */
export interface MissionRecord extends MissionRow {
  project_slug: string
  status_type: StatusType
  status_label: string
}

const record = sql`
  select m.*, p.slug as project_slug, s.type as status_type, s.label as status_label
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

export async function requireMission(
  db: Queryable,
  workspaceId: string,
  ref: string,
): Promise<MissionRecord> {
  const mission = await findMission(db, workspaceId, ref)
  if (!mission) throw notFound('mission', ref)
  return mission
}

/** `ref` is what the caller sent, so that the refusal says nothing more than that. */
export function placeOf(mission: MissionRow, ref: string): Place {
  const { id: missionId, project_id: projectId } = mission
  return { projectId, missionId, objectiveId: null, missing: notFound('mission', ref) }
}

export interface MissionFilter {
  workspaceId: string
  /** Over `p` and `m`, projects and missions: those that the caller may know of. */
  reach: RawBuilder<boolean>
  projectId: string | undefined
  words: readonly string[]
  statusTypes: readonly StatusType[] | undefined
  before: string | undefined
  limit: number
}

/** Newest first; every word must be found in the title. */
export async function listMissionRecords(
  db: Queryable,
  filter: MissionFilter,
): Promise<MissionRecord[]> {
  const { workspaceId, reach, projectId } = filter
  const conditions = [sql`m.workspace_id = ${workspaceId}`, sql`m.deleted_at is null`, reach]
  if (projectId) conditions.push(sql`m.project_id = ${projectId}`)
  if (filter.before) conditions.push(sql`m.id < ${filter.before}`)
  if (filter.statusTypes) conditions.push(sql`s.type = any(${filter.statusTypes})`)
  for (const word of filter.words) {
    const pattern = `%${word.replace(/[\\%_]/g, String.raw`\$&`)}%`
    conditions.push(sql`m.title ilike ${pattern}`)
  }
  const found = await sql<MissionRecord>`
    ${record} where ${sql.join(conditions, sql` and `)}
     order by m.id desc limit ${filter.limit}`.execute(db)
  return found.rows
}
