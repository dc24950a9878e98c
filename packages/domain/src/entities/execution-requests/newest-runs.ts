import { RunOutcome, RunState } from '@svc/contracts/states'
import type { Queryable } from '@svc/db/database'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../common/actor.ts'
import { validationFailed } from '../../common/errors.ts'
import { readCursor } from '../../common/page.ts'
import { stateOfRun } from '../../states/states.ts'

/** Which runs; each part narrows. */
export interface RunFilter {
  ids?: readonly string[] | undefined
  objectiveId?: string | undefined
  missionId?: string | undefined
  runnerId?: string | undefined
  /** Undefined: those of every project of the workspace. */
  projectIds?: readonly string[] | undefined
  states?: readonly RunState[] | undefined
}

/** The same, of what this caller may see: a token may be bound to some projects, or to one objective. */
export function visibleRuns({ credential }: Actor, filter: RunFilter): RunFilter {
  const { objective, projectIds } = credential
  return {
    ...filter,
    objectiveId: objective?.id ?? filter.objectiveId,
    projectIds: filter.projectIds ?? projectIds ?? undefined,
  }
}

interface Newest {
  limit: number
  /** Those that were queued before this one. */
  before?: number | undefined
}

export async function listNewestRuns(
  db: Queryable,
  workspaceId: string,
  filter: RunFilter,
  page: Newest,
): Promise<ExecutionRequestRow[]> {
  return (await selectNewestRuns(workspaceId, filter, page).execute(db)).rows
}

/** In the order in which they were queued, the newest first. It costs what it finds, however many other runs there are. */
export function selectNewestRuns(
  workspaceId: string,
  filter: RunFilter,
  { limit, before }: Newest,
): RawBuilder<ExecutionRequestRow> {
  const found = selectFound({ ...filter, workspaceId, limit, before })
  // one by one: joined, a plan for any limit expects a tenth of all runs, and reads those of the whole workspace
  return sql<ExecutionRequestRow>`
    select e.* from (${found}) newest
     cross join lateral (
       select * from execution_requests
        where workspace_id = ${workspaceId} and id = newest.id limit 1) e
     order by newest.seq desc`
}

/** How many there are, up to the limit. */
export function selectCountOfRuns(
  workspaceId: string,
  filter: RunFilter,
  limit: number,
): RawBuilder<{ count: number }> {
  const found = selectFound({ ...filter, workspaceId, limit })
  return sql<{ count: number }>`select count(*)::int as count from (${found}) as counted`
}

interface Asked extends RunFilter, Newest {
  workspaceId: string
}

function selectFound(asked: Asked): RawBuilder<unknown> {
  const isOfFew = asked.ids ?? asked.objectiveId ?? asked.missionId
  return isOfFew ? ofFew(asked) : ofEachState(asked)
}

/** A mission has few runs, and so have ids: they are read in their order, and what is not asked for is left out. */
function ofFew({ ids, objectiveId, missionId, runnerId, projectIds, states, ...page }: Asked) {
  const conditions = [
    // as a query, so that no plan expects more of them than there are
    ...(ids ? [sql`e.id = any(array(select unnest(${ids}::uuid[])))`] : []),
    ...(objectiveId ? [sql`e.objective_id = ${objectiveId}`] : []),
    ...(missionId ? [sql`e.mission_id = ${missionId}`] : []),
    ...(runnerId ? [sql`e.runner_id = ${runnerId}`] : []),
    ...(projectIds ? [sql`e.project_id = any(${projectIds}::uuid[])`] : []),
    ...(states ? [sql`${stateOfRun('e')} = any(${namesOf(states)}::text[])`] : []),
  ]
  return newestWhere(conditions, page)
}

/**
 * An index has the runs of a project, a runner or a workspace by their states, each in order: the newest of every state
 * that is asked for are read, and the newest of these are the page.
 */
function ofEachState({ runnerId, projectIds, states, ...page }: Asked): RawBuilder<unknown> {
  const lists = [
    sql`unnest(${namesOf(states)}::text[]) as state(name)`,
    ...(projectIds ? [sql`unnest(${[...new Set(projectIds)]}::uuid[]) as project(id)`] : []),
  ]
  const conditions = [
    ...(runnerId ? [sql`e.runner_id = ${runnerId}`] : []),
    ...(projectIds ? [sql`e.project_id = project.id`] : []),
    // the index of a whole workspace has nothing else
    ...(runnerId || projectIds ? [] : [sql`e.seq > 0`]),
    sql`${stateOfRun('e')} = state.name`,
  ]
  return sql`
    select found.id, found.seq
      from ${sql.join(lists, sql` cross join `)}
     cross join lateral (${newestWhere(conditions, page)}) found
     order by found.seq desc limit ${page.limit}`
}

function newestWhere(
  conditions: readonly RawBuilder<unknown>[],
  { workspaceId, limit, before }: Pick<Asked, 'workspaceId' | keyof Newest>,
): RawBuilder<unknown> {
  const all = [...conditions, ...(before === undefined ? [] : [sql`e.seq < ${before}`])]
  return sql`
    select e.id, e.seq from execution_requests e
     where e.workspace_id = ${workspaceId} and ${sql.join(all, sql` and `)}
     order by e.seq desc limit ${limit}`
}

/** As the rows have them: what was launched has an outcome. */
function namesOf(states: readonly RunState[] = RunState.options): string[] {
  const outcomes = states.includes('launched') ? RunOutcome.options : []
  return [...new Set([...states.filter((state) => state !== 'launched'), ...outcomes])]
}

/** The place of the run that a page goes on from. One that is gone is refused: the rest of the list would be lost in silence. */
export async function placeOf(
  db: Queryable,
  { workspaceId }: Actor,
  cursor: string | undefined,
): Promise<number | undefined> {
  const id = readCursor(cursor)
  if (id === undefined) return undefined
  const row = await db
    .selectFrom('execution_requests')
    .select('seq')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw validationFailed('cursor', 'its run is gone: begin with the first page')
  return row.seq
}
