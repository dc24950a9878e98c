import { isUuid, missionOfDisplayId } from '@svc/contracts/ids'
import type { Queryable } from '@svc/db/database'
import { gather } from '@svc/db/gather'
import type { ObjectiveRow } from '@svc/db/tables'
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { AccessScope } from '../../access/authorize.ts'
import { byKey } from '../../common/by-key.ts'
import { notFound } from '../../common/errors.ts'
import { type Page, type Sized, withinBytes } from '../../common/page.ts'
import { activeStates, notStartedStates } from '../../states/states.ts'
import { type MissionRecord, selectMission, whereMissionEver } from '../missions/queries.ts'
import type { Ref } from '../../common/ids.ts'
import { type ShownObjective, shownColumns } from './views.ts'

/** As much of a mission as finds what belongs to it. */
type Named = Pick<MissionRecord, 'workspace_id' | 'id'>

export interface ObjectiveInMission {
  mission: MissionRecord
  objective: ObjectiveRow
}

/** By UUID or display id, inside the workspace. Decision 71. */
export function selectObjectiveId(
  db: Queryable,
  workspaceId: string,
  ref: string,
): Expression<{ id: string; mission_id: string }> {
  if (isUuid(ref)) {
    return db
      .selectFrom('objectives')
      .select(['id', 'mission_id'])
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', ref)
      .where('deleted_at', 'is', null)
  }
  const [missionRef = '', key = ''] = ref.split('.')
  const [slug = '', sequence] = missionRef.split(':')
  return db
    .selectFrom('objectives as o')
    .innerJoin('missions as m', (join) =>
      join.onRef('m.workspace_id', '=', 'o.workspace_id').onRef('m.id', '=', 'o.mission_id'),
    )
    .innerJoin('projects as p', (join) =>
      join.onRef('p.workspace_id', '=', 'm.workspace_id').onRef('p.id', '=', 'm.project_id'),
    )
    .select(['o.id', 'o.mission_id'])
    .where('o.workspace_id', '=', workspaceId)
    .where('p.slug', '=', slug)
    .where('m.sequence', '=', Number(sequence))
    .where('o.key', '=', key)
    .where('o.deleted_at', 'is', null)
}

/** The same over `o`, `m` and `p`, deleted or not. */
export function whereObjectiveEver(workspaceId: string, ref: string) {
  if (isUuid(ref)) return sql`m.workspace_id = ${workspaceId} and o.id = ${ref}`
  const ofMission = whereMissionEver(workspaceId, missionOfDisplayId(ref))
  return sql`${ofMission} and o.key = ${ref.split('.')[1] ?? ''}`
}

/** By itself or with its mission. */
export function isDeleted({ mission, objective }: ObjectiveInMission): boolean {
  return mission.deleted_at !== null || objective.deleted_at !== null
}

/** `ref` is what the caller sent for the objective. */
export function scopeOfObjective(
  { mission, objective }: ObjectiveInMission,
  ref: string,
): AccessScope {
  return {
    projectId: mission.project_id,
    missionId: mission.id,
    objectiveId: objective.id,
    missing: () => notFound('objective', ref),
  }
}

export async function requireObjective(
  db: Queryable,
  workspaceId: string,
  ref: string,
): Promise<ObjectiveInMission> {
  const { rows } = await sql<{ id: string; mission_id: string }>`
    select * from (${selectObjectiveId(db, workspaceId, ref)}) as o`.execute(db)
  const [found] = rows
  if (!found) throw notFound('objective', ref)
  const { missions, objectives } = await gather(db, {
    missions: selectMission(workspaceId, found.mission_id),
    objectives: selectObjective(db, workspaceId, found.id),
  })
  const [mission] = missions
  const [objective] = objectives
  if (!mission || !objective) throw notFound('objective', ref)
  return { mission, objective }
}

/** Null is none. */
export function selectObjective(db: Queryable, workspaceId: string, id: string | null) {
  return db
    .selectFrom('objectives')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`id = ${id}::uuid`)
    .where('deleted_at', 'is', null)
}

export function listObjectives(db: Queryable, mission: MissionRecord): Promise<ObjectiveRow[]> {
  return selectObjectives(db, mission).execute()
}

/** In their order. */
export function selectObjectives(db: Queryable, mission: Ref) {
  return db
    .selectFrom('objectives')
    .selectAll()
    .where('workspace_id', '=', mission.workspace_id)
    .where('mission_id', '=', mission.id)
    .where('deleted_at', 'is', null)
    .orderBy('position')
}

/** In their order; of each instruction so many characters where that is said. */
export async function listShownObjectives(
  db: Queryable,
  mission: Named,
  characters: number | undefined,
): Promise<ShownObjective[]> {
  if (characters === undefined) return selectObjectives(db, mission).execute()
  const { rows } = await sql<ShownObjective>`
    select ${shownColumns(characters)} from objectives
     where workspace_id = ${mission.workspace_id} and mission_id = ${mission.id}
       and deleted_at is null
     order by position`.execute(db)
  return rows
}

interface NamedObjectives extends Page {
  workspaceId: string
  ids: readonly string[]
  /** A condition on `o` and `m`, the objective and its mission: the caller may know of it. */
  visible: RawBuilder<boolean>
  /** Of each instruction. */
  characters: number
}

/** Newest first, each with what it is named by, and one more than the page holds. */
export function selectNamedObjectives({
  workspaceId,
  ids,
  visible,
  characters,
  limit,
  before,
}: NamedObjectives): RawBuilder<
  Sized<ShownObjective & Pick<MissionRecord, 'project_slug' | 'sequence'>>
> {
  const keys = ids.map((id) => ({ workspace_id: workspaceId, id }))
  const rows = sql<ShownObjective & Pick<MissionRecord, 'project_slug' | 'sequence'>>`
    select ${shownColumns(characters, 'o')}, m.sequence, p.slug as project_slug
      from ${byKey('objectives', keys, { where: sql`t.deleted_at is null` })} o
      join missions m on m.workspace_id = o.workspace_id and m.id = o.mission_id
      join projects p on p.workspace_id = m.workspace_id and p.id = m.project_id
     where m.deleted_at is null and ${visible}
       and ${before === undefined ? sql`true` : sql`o.id < ${before}`}
     order by o.id desc limit ${limit + 1}`
  return withinBytes({ rows, bytes: sql`octet_length(instruction)` })
}

/** The first not started objective in order that has an instruction. */
export function findNextUp(
  db: Queryable,
  mission: MissionRecord,
): Promise<ObjectiveRow | undefined> {
  return selectNextUp(db, mission).executeTakeFirst()
}

export function selectNextUp(db: Queryable, mission: Ref) {
  return selectObjectives(db, mission)
    .where('state', 'in', notStartedStates)
    .where('blank', '=', false)
    .limit(1)
}

/** Objectives that hold or share the mission's slot, deleted ones too: their run may still go on. */
export function listActive(db: Queryable, mission: MissionRecord): Promise<ObjectiveRow[]> {
  return selectActive(db, mission).execute()
}

export function selectActive(db: Queryable, mission: Ref) {
  return db
    .selectFrom('objectives')
    .selectAll()
    .where('workspace_id', '=', mission.workspace_id)
    .where('mission_id', '=', mission.id)
    .where('state', 'in', activeStates)
    .orderBy('position')
}
