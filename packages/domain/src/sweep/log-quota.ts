import { sql } from 'kysely'
import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'

/** How many pieces of output a statement takes away. */
const batch = 256

/**
 * Takes output away where a workspace keeps more than it may, the oldest first, whatever run it is of. How far the output of a
 * run goes stays known, and what has gone shows as a gap.
 */
export async function keepLogQuotas(domain: Domain): Promise<void> {
  const { rows } = await sql<{ workspace_id: string; over: number }>`
    select workspace_id, (sum(stored_bytes) - ${domain.logQuotaBytes}::bigint)::bigint as over
      from run_log_sums group by workspace_id
    having sum(stored_bytes) > ${domain.logQuotaBytes}::bigint`.execute(domain.db)
  for (const { workspace_id, over } of rows) {
    for (let left = over; left > 0;) {
      const freed = await takeOldest(domain, workspace_id, left)
      if (freed === 0) break
      left -= freed
    }
  }
}

/** What somebody else is about to take away is left to them. */
function takeOldest(domain: Domain, workspaceId: string, bytes: number): Promise<number> {
  return inTransaction({ domain }, async (tx) => {
    const { rows } = await sql<{ freed: number }>`
      with oldest as materialized (
        select ctid as place, created_at, octet_length(bytes) as size from run_log_chunks
         where workspace_id = ${workspaceId} order by created_at limit ${batch} for update skip locked
      ), counted as (
        select place, sum(size) over (order by created_at, place) - size as before from oldest
      ), gone as (
        delete from run_log_chunks
         where ctid = any(array(select place from counted where before < ${bytes}))
        returning octet_length(bytes) as size
      ) select coalesce(sum(size), 0)::bigint as freed from gone`.execute(tx)
    return rows[0]?.freed ?? 0
  })
}
