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

/** By ranges of the key that starts with the time, so that no index is needed for it. */
async function forgetOf(domain: Domain, workspaceId: string, short: string, long: string) {
  const waiting = sql`select from webhook_delivery d where d.workspace_id = t.workspace_id
    and d.state in ('pending', 'held')`
  const statements = [
    sql`delete from webhook_attempt where (workspace_id, delivery_id, job_id, claim) in (
          select workspace_id, delivery_id, job_id, claim from webhook_attempt t
           where workspace_id = ${workspaceId} and delivery_id < ${short}
             and not exists (${waiting} and d.id = t.delivery_id) limit ${batch})`,
    sql`delete from webhook_body where (workspace_id, event_id, mode) in (
          select workspace_id, event_id, mode from webhook_body t
           where workspace_id = ${workspaceId} and event_id < ${short}
             and not exists (${waiting} and d.event_id = t.event_id) limit ${batch})`,
    sql`delete from webhook_event where (workspace_id, id) in (
          select workspace_id, id from webhook_event
           where workspace_id = ${workspaceId} and id < ${short}
             and fanned_out_at is not null limit ${batch})`,
    sql`delete from webhook_delivery where (workspace_id, id) in (
          select workspace_id, id from webhook_delivery
           where workspace_id = ${workspaceId} and id < ${long}
             and state not in ('pending', 'held') limit ${batch})`,
  ]
  let forgotten = 0
  for (const statement of statements) {
    const { numAffectedRows } = await statement.execute(domain.db)
    forgotten += Number(numAffectedRows ?? 0)
  }
  return forgotten
}

/** Below every id that was made in the last so many days: the first 48 bits of one are its milliseconds. */
function oldestId(now: Date, days: number): string {
  const hex = (now.getTime() - days * 86_400_000).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
