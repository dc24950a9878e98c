import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { type RawBuilder, sql } from 'kysely'
import { authorize, whereVisibleTo } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import type { Domain } from '../domain.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import { pageOf, readCursor } from '../common/page.ts'
import { scopeOfProject, requireProject } from '../entities/projects/queries.ts'
import type { UseCase } from '../use-case.ts'
import { restorableUntil } from '../common/restorable.ts'
import { scopeOfMission, requireMission } from '../entities/missions/queries.ts'
import { whereRestorable } from './restore-mission.ts'
import { displayIdOfMission } from '../entities/missions/views.ts'

interface DeletedRow {
  id: string
  title: string
  deleted_at: Date
}

/** Those that can be restored, newest first; their objectives come back with them. */
export async function listDeletedMissions(
  { domain }: UseCase,
  actor: Actor,
  { projectId, ...page }: RouteInput<'listDeletedMissions'>,
): Promise<RouteOutput<'listDeletedMissions'>> {
  authorize(actor, 'mission:read')
  const project = projectId && (await requireProject(domain.db, actor.workspaceId, projectId))
  if (project) authorize(actor, 'mission:read', scopeOfProject(project, projectId))
  const rows = sql<DeletedRow & { project_slug: string; sequence: number }>`
    select m.id, m.title, m.deleted_at, p.slug as project_slug, m.sequence
      from missions m
      join projects p on p.workspace_id = m.workspace_id and p.id = m.project_id
     where m.workspace_id = ${actor.workspaceId} and m.deleted_at >= '-infinity'
       and ${whereRestorable('m')} and ${project ? sql`m.project_id = ${project.id}` : sql`true`}
       and ${whereVisibleTo(actor, { projectId: sql`m.project_id`, missionId: sql`m.id` })}`
  const { items, nextCursor } = await readPage(domain, rows, page)
  return { deleted: items.map((row) => viewDeleted(row, displayIdOfMission(row))), ...nextCursor }
}

/** Those that went alone, of a mission that is there. */
export async function listDeletedObjectives(
  { domain }: UseCase,
  actor: Actor,
  { id, ...page }: RouteInput<'listDeletedObjectives'>,
): Promise<RouteOutput<'listDeletedObjectives'>> {
  const mission = await requireMission(domain.db, actor.workspaceId, id)
  authorize(actor, 'mission:read', scopeOfMission(mission, id))
  const rows = sql<DeletedRow & { key: string }>`
    select o.id, o.title, o.deleted_at, o.key
      from objectives o
     where o.workspace_id = ${actor.workspaceId} and o.mission_id = ${mission.id}
       and o.deleted_at is not null and ${whereRestorable('o')}`
  const { items, nextCursor } = await readPage(domain, rows, page)
  return { deleted: items.map((row) => viewDeleted(row, displayIdOf(mission, row))), ...nextCursor }
}

interface Page {
  limit: number
  cursor?: string | undefined
}

async function readPage<Row extends DeletedRow>(
  { db }: Domain,
  rows: RawBuilder<Row>,
  { limit, cursor }: Page,
) {
  const before = cursor === undefined ? undefined : parseCursor(cursor)
  const found = await sql<Row & { microseconds: string }>`
    select d.*, ${microseconds} as microseconds from (${rows}) as d
     where ${before ? isBefore(before) : sql`true`}
     order by d.deleted_at desc, d.id desc limit ${limit + 1}`.execute(db)
  return pageOf(found.rows, limit, (row) => `${row.microseconds}/${row.id}`)
}

/** A Date has milliseconds only, and rows of one transaction went at the same time. */
const microseconds = sql`(extract(epoch from d.deleted_at) * 1000000)::bigint`

interface PagePosition {
  microseconds: string
  id: string
}

function parseCursor(cursor: string): PagePosition {
  const [since = '', id] = cursor.split('/')
  const before = readCursor(/^\d{1,16}$/.test(since) ? id : '')
  return { microseconds: since, id: before ?? '' }
}

function isBefore({ microseconds: since, id }: PagePosition): RawBuilder<boolean> {
  const at = sql`timestamptz 'epoch' + ${since}::bigint * interval '1 microsecond'`
  return sql`(d.deleted_at, d.id) < (${at}, ${id}::uuid)`
}

function viewDeleted({ id, title, deleted_at: at }: DeletedRow, displayId: string) {
  const restorable = restorableUntil(at)
  return { id, displayId, title, deletedAt: at.toISOString(), restorableUntil: restorable }
}
