import { sql } from 'kysely'
import type { Domain } from '../domain.ts'
import { inTransaction } from '../commit/transaction.ts'

const batch = 10_000

/** Changes are kept for 7 days; a cursor from before that is told to start anew. */
export async function forgetOldChanges(domain: Domain): Promise<void> {
  await inTransaction({ domain }, async (tx) => {
    await sql`
      with gone as (
        delete from entity_changes where (workspace_id, xid, seq) in (
          select workspace_id, xid, seq from entity_changes
           where created_at < app.now() - interval '7 days' limit ${batch})
        returning xid
      )
      update feed_floor set xid = greatest(feed_floor.xid, newest.xid)
        from (select xid from gone order by xid desc limit 1) newest`.execute(tx)
  })
}
