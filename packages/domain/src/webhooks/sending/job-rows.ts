import { sql } from 'kysely'
import { queues } from '../../jobs/jobs.ts'

/**
 * The rows of the job queue, for statements that change them together with our own. What they write there is what
 * pg-boss writes, and a test holds the two against each other.
 */
export const deliveryJobs = sql`j.name = ${sql.lit(queues.webhookDelivery)}`

/** What a claim sets. `retry_count` counts the claims from 0: together with the id it is the fence. */
export const claimColumns = sql`
  state = 'active', started_on = pgboss.job_now(), heartbeat_on = pgboss.job_now(),
  retry_count = case when j.started_on is not null then j.retry_count + 1 else j.retry_count end`

/** Inserts the jobs that `rows` names by id, data, group_id, expire_seconds and delay, with the queue's own settings. */
export const insertDeliveryJobs = (rows: ReturnType<typeof sql>) => sql`
  insert into pgboss.job (id, name, data, start_after, created_on, group_id, expire_seconds, deletion_seconds,
                          keep_until, retry_limit, retry_delay, retry_backoff, retry_delay_max, policy, dead_letter,
                          heartbeat_seconds)
  select n.id, q.name, n.data, n.start_after, pgboss.job_now(), n.group_id, n.expire_seconds, q.deletion_seconds,
         n.start_after + q.retention_seconds * interval '1 second', q.retry_limit, q.retry_delay,
         coalesce(q.retry_backoff, false), q.retry_delay_max, q.policy, q.dead_letter, q.heartbeat_seconds
    from (${rows}) n
    join pgboss.queue q on q.name = ${sql.lit(queues.webhookDelivery)}
  on conflict do nothing`
