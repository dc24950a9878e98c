import { sql } from 'kysely'
import type { Domain } from '../../domain.ts'

const batch = 1000
const shortDays = 30
const longDays = 90

/** Bodies, attempts and events go after 30 days, the deliveries themselves after 90; never of one that waits. */
export async function forgetOldDeliveries(domain: Domain): Promise<number> {
  const { rows } = await sql<{ id: string; now: Date }>`
    select id, app.now() as now from workspaces`.execute(domain.db)
  let forgotten = 0
  for (const { id, now } of rows) {
    forgotten += await forgetOf(domain, id, oldestId(now, shortDays), oldestId(now, longDays))
  }
  return forgotten
}

/**
 * By ranges of the key that starts with the time, so that no index is needed for it. The order keeps to the key, the
 * offset makes of what waits one look-up a row, and the place finds each row again: with any other plan a pass reads
 * all that there is. What was sent again in between is kept by the state that it has by now.
 */
async function forgetOf(domain: Domain, workspaceId: string, short: string, long: string) {
  const waiting = sql`select from webhook_delivery d where d.workspace_id = t.workspace_id
    and d.state in ('pending', 'held') and d.kind = 'event'`
  const statements = [
    sql`delete from webhook_attempt where ctid = any(array(
          select ctid from webhook_attempt t
           where workspace_id = ${workspaceId} and delivery_id < ${short}
             and not exists (${waiting} and d.id = t.delivery_id offset 0)
           order by delivery_id limit ${batch}))`,
    sql`delete from webhook_body where ctid = any(array(
          select ctid from webhook_body t
           where workspace_id = ${workspaceId} and event_id < ${short}
             and not exists (${waiting} and d.event_id = t.event_id offset 0)
           order by event_id limit ${batch}))`,
    sql`delete from webhook_event where ctid = any(array(
          select ctid from webhook_event
           where workspace_id = ${workspaceId} and id < ${short} and fanned_out_at is not null
           order by id limit ${batch}))`,
    sql`delete from webhook_delivery where state not in ('pending', 'held') and ctid = any(array(
          select ctid from webhook_delivery
           where workspace_id = ${workspaceId} and id < ${long} and state not in ('pending', 'held')
           order by id limit ${batch}))`,
  ]
  let forgotten = 0
  for (const statement of statements) {
    const { numAffectedRows } = await statement.execute(domain.db)
    forgotten += Number(numAffectedRows ?? 0)
  }
  return forgotten
}

/** Below every id that was made in the last so many days: the first 48 bits of one are its milliseconds. */
export function oldestId(now: Date, days: number): string {
  const hex = (now.getTime() - days * 86_400_000).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
