import type { Tx } from '@svc/db/database'
import type { WebhookDeliveryRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { byKey } from '../../common/by-key.ts'
import type { Domain } from '../../domain.ts'
import { jobId, queues } from '../../jobs/jobs.ts'
import { attemptJob } from './fan-out.ts'
import type { DeliveryTiming } from './retry-schedule.ts'

export type Queueable = Pick<
  WebhookDeliveryRow,
  'workspace_id' | 'id' | 'subscription_id' | 'attempts' | 'jobs' | 'epoch' | 'resent_from'
>

/**
 * Makes deliveries pending and due, each with a job of its own. `jobs` is in the job's name and grows with every job,
 * so the name was never used. Decision 58. The caller holds their locks, so that their ctids do not change.
 */
export async function queueNow(
  tx: Tx,
  domain: Domain,
  deliveries: readonly Queueable[],
  timing: DeliveryTiming,
): Promise<void> {
  const queued = deliveries.map((delivery) => {
    const jobs = delivery.jobs + 1
    return { ...delivery, jobs, job_id: jobId(delivery.id, `${delivery.attempts + 1}.${jobs}`) }
  })
  await sql`
    update webhook_deliveries d
       set state = 'pending', next_attempt_at = app.now(), settled_at = null,
           job_id = q.job_id, jobs = q.jobs, epoch = q.epoch, resent_from = q.resent_from
      from ${byKey('webhook_deliveries', queued)} named
      join jsonb_to_recordset(${JSON.stringify(queued)}::jsonb)
             as q(workspace_id uuid, id uuid, job_id uuid, jobs int, epoch int, resent_from text)
        using (workspace_id, id)
     where d.ctid = named.row_ctid`.execute(tx)
  await domain.jobs.insert(
    tx,
    queues.webhookDelivery,
    queued.map((delivery) => attemptJob(delivery, delivery.job_id, timing)),
  )
}
