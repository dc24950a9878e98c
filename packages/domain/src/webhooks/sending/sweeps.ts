import { sql } from 'kysely'
import { oldestId } from '../../common/ids.ts'
import type { Domain } from '../../domain.ts'
import { jobId, jobRows, queues } from '../../jobs/jobs.ts'
import { type Queueable, queueNow } from './queue-now.ts'
import { type DeliveryTiming, heldDays } from './retry-schedule.ts'
import { inTransaction } from '../../commit/transaction.ts'

const batch = 500
const deliveryJobs = jobRows.of(queues.webhookDelivery)

/** Events that nobody handed on for a quarter of an hour get a job under the next id. Answers how many. */
export function sweepEvents(domain: Domain): Promise<number> {
  return inTransaction({ domain }, async (tx) => {
    const { rows } = await sql<{ workspace_id: string; id: string; sweeps: number }>`
      update webhook_events set swept_at = app.now(), sweeps = sweeps + 1
       where ctid = any(array(
               select ctid from webhook_events
                where fanned_out_at is null
                  and coalesce(swept_at, occurred_at) < app.now() - interval '15 minutes'
                order by id limit ${batch} for update skip locked))
      returning workspace_id, id, sweeps`.execute(tx)
    const jobs = rows.map((event) => ({
      id: jobId(event.id, String(event.sweeps)),
      data: { workspaceId: event.workspace_id, eventId: event.id },
    }))
    await domain.jobs.insert(tx, queues.webhookEvent, jobs)
    return rows.length
  })
}

/** Deliveries that are due and whose job is gone get another, for the same attempt. Answers how many. */
export async function sweepDeliveries(domain: Domain, timing: DeliveryTiming): Promise<number> {
  let repaired = 0
  for (;;) {
    const found = await sweepBatch(domain, timing)
    repaired += found
    if (found < batch) return repaired
  }
}

/**
 * In order of the index, with one look-up of its job for each (the offset keeps it so), and only what has lost it is
 * locked. A settle that ends between the look and the lock leaves a row that is due no more, and one that has not ended
 * is skipped.
 */
function sweepBatch(domain: Domain, timing: DeliveryTiming): Promise<number> {
  return inTransaction({ domain }, async (tx) => {
    const { rows } = await sql<Queueable>`
      select workspace_id, id, subscription_id, attempts, jobs, epoch, resent_from
        from webhook_deliveries d
       where state = 'pending' and kind = 'event'
         and next_attempt_at < app.now() - interval '2 minutes'
         and not exists (
           select from ${jobRows.table}
            where ${deliveryJobs} and j.id = d.job_id and ${jobRows.isLive}
           offset 0)
       order by next_attempt_at limit ${batch} for update of d skip locked`.execute(tx)
    if (rows.length > 0) await queueNow(tx, domain, rows, timing)
    return rows.length
  })
}

/** What is held too long, or for a subscription that is gone, is given up; so is a test whose process died. */
export async function sweepHeld(domain: Domain): Promise<number> {
  const { rows } = await sql<{ now: Date }>`select app.now() as now`.execute(domain.db)
  let givenUp = 0
  for (const { now } of rows) {
    let found = batch
    while (found === batch) givenUp += found = await giveUpHeld(domain, oldestId(now, heldDays))
  }
  await sql`
    update webhook_deliveries set state = 'failed', settled_at = app.now()
     where kind = 'ping' and state = 'pending' and next_attempt_at is null
       and created_at < app.now() - interval '5 minutes'`.execute(domain.db)
  return givenUp
}

/** Searches each subscription by a range of ids, which start with the time: what is not held for so long is not read. */
async function giveUpHeld(domain: Domain, oldest: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries set state = 'canceled', settled_at = app.now()
     where ctid = any(array(
             select h.ctid from webhook_subscriptions s cross join lateral (
               select d.ctid from webhook_deliveries d
                where d.workspace_id = s.workspace_id and d.subscription_id = s.id and d.state = 'held'
                  and d.id < case when s.deleted_at is null then ${oldest} else ${beyondIds} end::uuid
                  and (s.deleted_at is not null
                       or d.settled_at < app.now() - ${heldDays} * interval '1 day')
                order by d.id limit ${batch} for update skip locked) h
              limit ${batch}))`.execute(domain.db)
  return Number(numAffectedRows ?? 0)
}

const beyondIds = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
