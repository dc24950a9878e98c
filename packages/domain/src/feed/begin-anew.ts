import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'

/**
 * Another server, or an earlier time of this one, counts its transactions otherwise: no change is in its place any more,
 * and whoever comes with a cursor starts anew.
 */
export async function beginFeedAnew(tx: Tx): Promise<void> {
  await sql`delete from entity_changes`.execute(tx)
  await sql`delete from run_log_ends`.execute(tx)
  // by the real time, which no server that cursors come from has had
  await sql`
    update feed_floor
       set xid = pg_current_xact_id(),
           era = greatest(era + 1, extract(epoch from clock_timestamp())::bigint)`.execute(tx)
}
