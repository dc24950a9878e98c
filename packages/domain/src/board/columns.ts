import { limits } from '@svc/contracts/limits'
import type { RouteInput } from '@svc/contracts/rest'
import type { Queryable } from '@svc/db/database'
import type { MissionRow, ProjectRow, ProjectStatusRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import { foundByWords, hasWords } from '../entities/missions/search.ts'
import { hasBadge } from './badges.ts'

type Filters = Pick<RouteInput<'getBoard'>, 'query' | 'priority' | 'badge' | 'limit'>

interface Asked extends Filters {
  actor: Actor
  project: ProjectRow
  statuses: readonly ProjectStatusRow[]
  /** Of one column: where the page before has ended. */
  before: string | undefined
}

export interface Column {
  status: ProjectStatusRow
  /** Of its missions, the newest first. */
  ids: string[]
  /** How many there are, as far as they were looked for. */
  count: number
  countsMore: boolean
  nextCursor?: string
}

/** So many of a column's newest are looked through for a page of those that pass a filter. */
const mostLookedThrough = 1_000

/** What has the words of a query is found by these, unless so many have them that the newest of a column are enough. */
const mostWithWords = 2_000

export async function fillColumns(db: Queryable, asked: Asked): Promise<Column[]> {
  if (asked.statuses.length === 0) return []
  if (asked.badge) return pick(db, asked, hasBadge(asked.badge, asked.actor, asked.project))
  const walked = await walk(db, asked)
  const isShort = walked.some(({ nextCursor, ids }) => nextCursor && ids.length < asked.limit)
  if (asked.query === undefined || !isShort) return walked
  const withWords = await listWithWords(db, asked.actor, asked.query)
  if (withWords.length > mostWithWords) return walked
  return pick(db, asked, sql`m.id = any(${withWords}::uuid[])`)
}

/** A status is of one project and one workspace, and every token that comes here sees that project. */
function isShown({ actor, before }: Pick<Asked, 'actor' | 'before'>): RawBuilder<unknown> {
  const { objective } = actor.credential
  const conditions = [
    sql`m.deleted_at is null`,
    ...(objective ? [sql`m.id = ${objective.missionId}`] : []),
    ...(before === undefined ? [] : [sql`m.id < ${before}`]),
  ]
  return sql.join(conditions, sql` and `)
}

/** Over `m`, missions. */
function passes({ actor, query, priority }: Asked): RawBuilder<unknown> {
  const conditions = [
    ...(priority ? [sql`m.priority = ${priority}`] : []),
    ...hasWords({ workspaceId: actor.workspaceId, query }),
  ]
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`
}

interface Walked {
  id: string
  status_id: string
  asked: boolean
  is_last: boolean
}

/** From the newest end of each. Where few pass, a page ends with the look, and the next one goes on from there. */
async function walk(db: Queryable, asked: Asked): Promise<Column[]> {
  const { statuses, limit, priority, query } = asked
  const isFiltered = priority !== undefined || query !== undefined
  const most = isFiltered ? mostLookedThrough : limit + 1
  const { rows } = await sql<Walked>`
    select w.* from unnest(${statuses.map(({ id }) => id)}::uuid[]) as s(id)
     cross join lateral (
       select m.id, m.status_id, m.asked, m.is_last from (
         select m.id, m.status_id, ${passes(asked)} as asked, row_number() over (order by m.id desc) = ${most} as is_last
           from missions m
          where m.status_id = s.id and ${isShown(asked)}
          order by m.id desc limit ${most}) m
        where m.asked or m.is_last
        order by m.id desc limit ${limit + 1}) w
     order by w.id desc`.execute(db)
  const of = Map.groupBy(rows, ({ status_id }) => status_id)
  return statuses.map((status) => {
    const found = of.get(status.id) ?? []
    const ids = found.filter((one) => one.asked).map(({ id }) => id)
    const shown = ids.slice(0, limit)
    const end = found.at(-1)
    const isCut = ids.length > limit
    const whereLookEnds = isFiltered && end?.is_last ? end.id : undefined
    const next = isCut ? shown.at(-1) : whereLookEnds
    const hasMore = next !== undefined
    return {
      status,
      ids: shown,
      count: shown.length,
      countsMore: hasMore,
      ...(hasMore && { nextCursor: next }),
    }
  })
}

/** All that are among some few. */
async function pick(db: Queryable, asked: Asked, isAmong: RawBuilder<unknown>): Promise<Column[]> {
  const { actor, statuses, limit } = asked
  const statusIds = statuses.map(({ id }) => id)
  const { rows } = await sql<Pick<MissionRow, 'id' | 'status_id'>>`
    select m.id, m.status_id from missions m
     where m.workspace_id = ${actor.workspaceId} and ${isAmong} and ${isShown(asked)}
       and m.status_id = any(${statusIds}::uuid[]) and ${passes(asked)}
     order by m.id desc limit ${limits.countedMissions}`.execute(db)
  const of = Map.groupBy(rows, ({ status_id }) => status_id)
  return statuses.map((status) => {
    const found = (of.get(status.id) ?? []).map(({ id }) => id)
    const ids = found.slice(0, limit)
    const last = ids.at(-1)
    const hasMore = found.length > limit && last !== undefined
    return {
      status,
      ids,
      count: found.length,
      countsMore: false,
      ...(hasMore && { nextCursor: last }),
    }
  })
}

/** One more than are looked for where there are so many. */
async function listWithWords(db: Queryable, actor: Actor, query: string): Promise<string[]> {
  const { rows } = await sql<{ mission_id: string }>`
    select distinct mission_id from (
      ${foundByWords(actor.workspaceId, query)} limit ${2 * mostWithWords + 2}) as found`.execute(
    db,
  )
  return rows.map((row) => row.mission_id)
}

type Count = Pick<Column, 'count' | 'countsMore'>

/** All of each by an index alone, as far as they are counted. In order, so that no plan reads the table from end to end. */
export async function countColumns(
  db: Queryable,
  asked: Pick<Asked, 'actor' | 'statuses'>,
): Promise<Map<string, Count>> {
  const most = limits.countedMissions
  const { rows } = await sql<{ id: string; count: number }>`
    select s.id, c.count from unnest(${asked.statuses.map(({ id }) => id)}::uuid[]) as s(id)
     cross join lateral (
       select count(*)::int as count from (
         select from missions m where m.status_id = s.id and ${isShown({ ...asked, before: undefined })}
          order by m.id desc limit ${most + 1}) counted) c`.execute(db)
  return new Map(
    rows.map(({ id, count }) => [id, { count: Math.min(count, most), countsMore: count > most }]),
  )
}
