import { sql } from 'kysely'
import type { Domain } from '../domain.ts'
import { inTransaction } from '../commit/transaction.ts'

const batch = 10_000

/** Changes are kept for 7 days; a cursor from before that is told to start anew. */
export async function forgetOldChanges(domain: Domain): Promise<void> {
  await inTransaction({ domain }, async (tx) => {
    await sql`
      with gone as (
        -- by their places, which stay what they are: a change is never changed
        delete from entity_changes where ctid = any(array(
          select ctid from entity_changes
           where created_at < app.now() - interval '7 days' order by created_at limit ${batch}))
        returning xid
      )
      update feed_floor set xid = greatest(feed_floor.xid, newest.xid)
        from (select xid from gone order by xid desc limit 1) newest`.execute(tx)
  })
}
