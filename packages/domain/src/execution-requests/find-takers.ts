import type { Database } from '@svc/db/database'
import { sql } from 'kysely'
import { type Claimer, claimers, fits, isReady, reach, takeable } from './takeable.ts'

/** A request, and the place in the list of one who can take it. */
export interface Taker {
  n: number
  workspace_id: string
  mission_id: string
  id: string
}

const perLane = 8

/** For each of those that wait, the oldest requests that it can take in each lane, without those named. */
export async function findTakers(
  db: Database,
  waiting: readonly Claimer[],
  except: readonly string[],
): Promise<Taker[]> {
  const { rows } = await sql<Taker>`
    with recursive ${claimers(given(waiting))}, ${reach}
    select l.n, e.workspace_id, e.mission_id, e.id
      from reach l cross join lateral (
        select * from (${takeable}) e where e.id <> all(${except}::uuid[]) limit ${perLane}) e
     order by e.created_at, e.id, l.n`.execute(db)
  return rows
}

/** The same of what is queued in these missions alone, as pairs of workspace and mission. */
export async function findTakersIn(
  db: Database,
  waiting: readonly Claimer[],
  missions: readonly (readonly [string, string])[],
): Promise<Taker[]> {
  const told = sql`unnest(${missions.map(([id]) => id)}::uuid[], ${missions.map(([, id]) => id)}::uuid[])`
  const { rows } = await sql<Taker>`
    with ${claimers(given(waiting))}, e as materialized (
      select e.* from ${told} told(workspace_id, mission_id)
        join execution_requests e using (workspace_id, mission_id)
       where e.status = 'queued')
    select c.n, e.workspace_id, e.mission_id, e.id
      from c join e on ${fits('e')} and ${isReady(sql.ref('c.runner_id'))}
     order by e.created_at, e.id, c.n`.execute(db)
  return rows
}

function given(waiting: readonly Claimer[]) {
  const rows = waiting.map(({ workspaceId, runnerId, projectIds }, n) => ({
    n,
    workspace_id: workspaceId,
    runner_id: runnerId,
    projects: projectIds,
  }))
  return sql`(select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as w(n integer, workspace_id uuid, runner_id uuid, projects uuid[]))`
}
