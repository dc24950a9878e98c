import { isMissionDisplayId, isObjectiveDisplayId } from '@svc/contracts/ids'
import type { RouteInput } from '@svc/contracts/rest'
import type { BudgetStanding } from '@svc/contracts/usage'
import type { Queryable } from '@svc/db/database'
import { type RawBuilder, sql } from 'kysely'
import { type MissionRecord, recordColumns } from './queries.ts'

type Asked =
  | 'query'
  | 'statusTypes'
  | 'statusId'
  | 'priority'
  | 'ids'
  | 'updatedSince'
  | 'updatedBefore'
  | 'budget'
  | 'limit'

export interface MissionFilter extends Pick<RouteInput<'listMissions'>, Asked> {
  workspaceId: string
  /** A condition on `m`, missions: the caller may know of it. */
  visible: RawBuilder<boolean>
  projectId: string | undefined
  before: string | undefined
}

/** Mission by mission in the order of their index, which the offsets keep: else a page may read and sort them all. */
const records = sql`
  select ${recordColumns}
    from missions m
   cross join lateral (
     select * from projects where workspace_id = m.workspace_id and id = m.project_id offset 0) p
   cross join lateral (
     select * from project_statuses
      where workspace_id = m.workspace_id and id = m.status_id offset 0) s`

/** So many of the newest are looked through one by one before an index is asked. */
const mostWalked = 500

/**
 * Newest first by the id, which no change moves: whoever goes on from one meets none twice. What many missions have is
 * found among the newest, and what few have by its index: either costs what it finds. That the database could not
 * choose, for it does not know how many have a word that begins so.
 */
export async function searchMissionRecords(
  db: Queryable,
  filter: MissionFilter,
): Promise<MissionRecord[]> {
  const all = sql`${records} where ${every(onTable(filter))}`
  if (filter.ids) {
    const from = sql`${all} and m.id = any(array(select unnest(${filter.ids}::uuid[])))`
    return select(db, filter, { from, where: [...passes(filter), ...hasWords(filter)] })
  }
  const found = foundByIndex(filter)
  if (!found) return select(db, filter, { from: all, where: passes(filter) })
  const near = await select(db, filter, {
    from: sql`${all} order by ${newestFirst(filter)} limit ${mostWalked}`,
    where: [...passes(filter), ...hasWords(filter)],
  })
  if (near.length === filter.limit) return near
  // an array, so that the plan starts from what was found, however many it is expected to be
  const from = sql`${all} and m.id = any(array(${found}))`
  return select(db, filter, { from, where: passes(filter) })
}

type Condition = RawBuilder<unknown>

async function select(
  db: Queryable,
  filter: MissionFilter,
  { from, where }: { from: RawBuilder<unknown>; where: readonly Condition[] },
): Promise<MissionRecord[]> {
  const found = await sql<MissionRecord>`
    select * from (${from}) as m where ${every(where)}
     order by ${newestFirst(filter)} limit ${filter.limit}`.execute(db)
  return found.rows
}

function every(conditions: readonly Condition[]): Condition {
  return sql.join([sql`true`, ...conditions], sql` and `)
}

function newestFirst({ projectId }: MissionFilter): RawBuilder<unknown> {
  return projectId ? sql`m.project_id desc, m.id desc` : sql`m.id desc`
}

/** Conditions on the rows of the table missions. */
function onTable({ workspaceId, visible, projectId, before }: MissionFilter): Condition[] {
  return [
    sql`m.workspace_id = ${workspaceId}`,
    sql`m.deleted_at is null`,
    visible,
    // as a range, so that their index alone has them in order: that of all ids would pass for as good
    ...(projectId ? [sql`m.project_id between ${projectId} and ${projectId}`] : []),
    ...(before ? [sql`m.id < ${before}`] : []),
  ]
}

/** Over the records. */
function passes({ statusTypes, statusId, priority, ...filter }: MissionFilter): Condition[] {
  return [
    ...(priority ? [sql`m.priority = ${priority}`] : []),
    ...(statusTypes ? [sql`m.status_type = any(${statusTypes})`] : []),
    ...(statusId ? [sql`m.status_id = ${statusId}`] : []),
    ...updatedWithin(filter),
    // said otherwise than by its index, which is for whoever looks by it alone
    ...budgeted(filter).map((standing) => sql`coalesce(${standing}, false)`),
  ]
}

/** As the indexes of these say it. */
const standings: Readonly<Record<BudgetStanding, Condition>> = {
  set: sql`(m.budget_millionths is not null or m.budget_tokens is not null or m.budget_runs is not null)`,
  spent: sql`(m.used_millionths >= m.budget_millionths
    or m.used_input_tokens + m.used_output_tokens >= m.budget_tokens or m.launches >= m.budget_runs)`,
}

function budgeted({ budget }: Pick<MissionFilter, 'budget'>): Condition[] {
  return budget ? [standings[budget]] : []
}

function updatedWithin(filter: Pick<MissionFilter, 'updatedSince' | 'updatedBefore'>): Condition[] {
  const { updatedSince, updatedBefore } = filter
  return [
    ...(updatedSince ? [sql`m.updated_at >= ${updatedSince}`] : []),
    ...(updatedBefore ? [sql`m.updated_at < ${updatedBefore}`] : []),
  ]
}

/**
 * All of them stand in one text: the mission's title, with or without an objective of it. `offset 0`: asked of each
 * mission by itself, in sequence of all that have the words in advance.
 */
export function hasWords({
  workspaceId,
  query,
}: Pick<MissionFilter, 'workspaceId' | 'query'>): Condition[] {
  if (!query) return []
  const said = sql`exists (select from mission_words w
                 where w.workspace_id = m.workspace_id and w.mission_id = m.id
                   and w.words @@ ${wordsOf(workspaceId, query)} offset 0)`
  const named = foundByName(workspaceId, query)
  return [named ? sql`(${said} or m.id = (${named}))` : said]
}

/** Made of the text once, and not for each row. */
export function wordsOf(workspaceId: string, query: string): RawBuilder<unknown> {
  return sql`(select app.words_query(${workspaceId}, ${query}))`
}

/** The ids of all that can pass, where an index knows them. */
function foundByIndex(filter: MissionFilter): RawBuilder<unknown> | undefined {
  if (filter.query) return foundByWords(filter.workspaceId, filter.query)
  const { statusTypes, statusId, budget, priority } = filter
  return statusTypes || statusId || budget || priority ? foundByStatus(filter) : undefined
}

export function foundByWords(workspaceId: string, query: string): RawBuilder<unknown> {
  const said = sql`
    select w.mission_id from mission_words w
     where w.workspace_id = ${workspaceId} and w.words @@ ${wordsOf(workspaceId, query)}`
  const named = foundByName(workspaceId, query)
  return named ? sql`${said} union all ${named}` : said
}

/** A display id is asked for as well as words: the mission itself, or that of an objective. */
function foundByName(workspaceId: string, query: string): RawBuilder<unknown> | undefined {
  const name = query.trim().toLowerCase()
  if (!isMissionDisplayId(name) && !isObjectiveDisplayId(name)) return undefined
  const [slug, sequence] = name.split(':')
  return sql`
    select n.id from projects p join missions n on n.workspace_id = p.workspace_id and n.project_id = p.id
     where p.workspace_id = ${workspaceId} and p.slug = ${slug}
       and n.sequence = ${Number.parseInt(sequence ?? '', 10)}`
}

/** The newest of each status, of one priority if that is asked for: no more of one can be on the page. */
function foundByStatus(filter: MissionFilter): RawBuilder<unknown> {
  const { workspaceId, projectId, statusTypes, statusId, priority, limit } = filter
  const statuses = [
    sql`s.workspace_id = ${workspaceId}`,
    ...(projectId ? [sql`s.project_id = ${projectId}`] : []),
    ...(statusTypes ? [sql`s.type = any(${statusTypes})`] : []),
    ...(statusId ? [sql`s.id = ${statusId}`] : []),
  ]
  const missions = [
    sql`m.workspace_id = s.workspace_id and m.status_id = s.id`,
    // the second says of each mission what is so, and of the index that it is the one of priorities
    ...(priority ? [sql`m.priority = ${priority}`, sql`m.sequence > 0`] : []),
    ...onTable(filter),
    ...updatedWithin(filter),
    ...budgeted(filter),
  ]
  return sql`
    select newest.id from project_statuses s cross join lateral (
      select m.id from missions m where ${every(missions)} order by m.id desc limit ${limit}) newest
     where ${every(statuses)}`
}
