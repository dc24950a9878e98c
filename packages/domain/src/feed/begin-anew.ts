import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'

/**
 * Another server, or an earlier time of this one, counts its transactions otherwise: no change is in its place any more,
 * and whoever comes with a cursor starts anew.
 */
export async function beginFeedAnew(tx: Tx): Promise<void> {
  await sql`delete from entity_changes`.execute(tx)
  await sql`delete from run_log_ends`.execute(tx)
  await sql`update feed_floor set xid = pg_current_xact_id()`.execute(tx)
}
