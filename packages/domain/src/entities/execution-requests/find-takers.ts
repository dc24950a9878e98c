import type { Database } from '@svc/db/database'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { byKey } from '../../common/by-key.ts'
import { type Claimer, claimers, eligible, fits, isReady, takeable } from './takeable.ts'

/** A request, and the index of a waiting claim that can take it. */
export interface Taker {
  n: number
  workspace_id: string
  id: string
}

const perPartition = 8

/** For each of those that wait, the oldest requests that it can take in each partition, without those named. */
export async function findTakers(
  db: Database,
  waiting: readonly Claimer[],
  except: readonly string[],
): Promise<Taker[]> {
  const { rows } = await sql<Taker>`
    with recursive ${claimers(given(waiting))}, ${eligible}
    select part.n, e.workspace_id, e.id
      from eligible part cross join lateral (
        select * from (${takeable}) e where e.id <> all(${except}::uuid[]) limit ${perPartition}) e
     order by e.created_at, e.id, part.n`.execute(db)
  return rows
}

/** Which waiting claims can take which of these requests. */
export async function findTakersOf(
  db: Database,
  waiting: readonly Claimer[],
  requests: readonly Pick<ExecutionRequestRow, 'workspace_id' | 'id'>[],
): Promise<Taker[]> {
  const { rows } = await sql<Taker>`
    with ${claimers(given(waiting))}, e as materialized (
      select * from ${byKey('execution_requests', requests)} found)
    select c.n, e.workspace_id, e.id
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
