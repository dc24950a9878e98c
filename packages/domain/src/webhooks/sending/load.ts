import type { PayloadMode, SettledState } from '@svc/contracts/webhook-subscription'
import { sql } from 'kysely'
import { memberMay } from '../../access/member-may.ts'
import type { Domain } from '../../domain.ts'
import { type ClaimedJob, jobRows, queues } from '../../jobs/jobs.ts'
import { lostClaimsLimit } from './retry-schedule.ts'

/** One claimed job: what it is about, and everything that its sending needs, as it stands now. */
export interface Attempt {
  job: ClaimedJob
  workspaceId: string
  /** Its slug. */
  workspace: string
  deliveryId: string
  subscriptionId: string
  eventId: string
  /** From 1. */
  number: number
  type: string
  /** The payload mode of the body. */
  mode: PayloadMode
  epoch: number
  /** The state of the delivery before a resend; null where this is none. */
  resentFrom: SettledState | null
  endpointUrl: string
  /** One object for all attempts of a claim that have the subscription in common. */
  sealedSecret: Buffer | null
  /** After the id; null when it is gone. One object for all attempts of a claim that send the same. */
  body: Buffer | null
  startedAt: Date
}

/** What is to be done with a claimed job. `drop`: the schedule does not wait for it any more. */
export type LoadedJob =
  | { todo: 'send'; attempt: Attempt }
  | { todo: 'cancel' | 'hold'; attempt: Attempt }
  | { todo: 'drop'; job: ClaimedJob }

export interface ClaimOptions {
  limit: number
  /** At most so many of one subscription are sent at a time, over all processes. Decision 62. */
  perSubscription?: number
  /** Jobs that are claimed still and sent no more: their outcome is about to be written. */
  answered?: readonly string[]
}

const unbounded = 2 ** 31 - 1

interface Row {
  job_id: string
  claim: number
  data: unknown
  group_id: string | null
  delivery_id: string
  workspace_id: string
  workspace: string
  subscription_id: string
  event_id: string
  event_type: string
  number: number
  epoch: number
  resent_from: SettledState | null
  is_waited_for: boolean | null
  is_deleted: boolean
  is_disabled: boolean
  is_lost: boolean
  endpoint_url: string
  sent_mode: PayloadMode
  /** Each once, at the first row that needs it. */
  secret_ciphertext: Buffer | null
  body: string | null
  started_at: Date
}

const deliveryJobs = jobRows.of(queues.webhookDelivery)

/** `full` goes only to those whose creator may read missions at this moment. spec: Authentication, item 10. */
const creatorMayRead = memberMay('mission:read', {
  workspaceId: sql.ref('s.workspace_id'),
  userId: sql.ref('s.created_by'),
})

/**
 * Claims due attempts and loads them: one statement and no cache, so that a rotation, a disabling or a lost right holds
 * for every later start. What is counted of a subscription is sent or about to be. The limits keep each part a look-up
 * by key, whatever the planner believes of the tables, and so does the array of ids: a plan that reads them whole costs
 * a thousand times as much.
 */
export async function claimAttempts(domain: Domain, options: ClaimOptions): Promise<LoadedJob[]> {
  const { limit, perSubscription = unbounded, answered = [] } = options
  const { rows } = await sql<Row>`
    with sending as materialized (
      select coalesce(jsonb_object_agg(group_id, count), '{}') as counts from (
        select j.group_id, count(*) from ${jobRows.table}
         where ${deliveryJobs} and ${jobRows.isClaimed} and j.group_id is not null
           and j.id <> all(${answered}::uuid[])
         group by j.group_id) as by_subscription),
    due as (
      select j.id, j.group_id, coalesce(((select counts from sending) ->> j.group_id)::int, 0) as busy
        from ${jobRows.table}
       where ${deliveryJobs} and ${jobRows.isDue}
         and coalesce(((select counts from sending) ->> j.group_id)::int, 0) < ${perSubscription}::int
       order by ${jobRows.turn} limit ${limit}::int
       for update of j skip locked),
    ranked as (
      select id, busy + row_number() over (partition by group_id order by id) as rank from due),
    claimed as (
      update ${jobRows.table} set ${jobRows.claim}
       where ${deliveryJobs}
         and j.id = any(array(select id from ranked where rank <= ${perSubscription}::int))
      returning j.id, j.retry_count, j.data, j.group_id),
    found as (
      select c.id as job_id, c.retry_count as claim, c.data, c.group_id, d.id as delivery_id,
             d.workspace_id, d.subscription_id, d.event_id, d.event_type, d.attempts + 1 as number,
             d.epoch, d.resent_from, d.mode, d.state = 'pending' and d.job_id = c.id as is_waited_for
        from claimed c
        left join lateral (
          select * from webhook_deliveries
           where workspace_id = (c.data ->> 'workspaceId')::uuid
             and id = (c.data ->> 'deliveryId')::uuid limit 1) d on true),
    subscribers as materialized (
      select s.* from (select distinct workspace_id, subscription_id from found) k
      cross join lateral (
        select s.*, ${creatorMayRead} as may_read,
               w.slug as workspace, w.deleted_at as workspace_deleted_at
          from webhook_subscriptions s join workspaces w on w.id = s.workspace_id
         where s.workspace_id = k.workspace_id and s.id = k.subscription_id limit 1) s),
    loaded as (
      select f.*, s.deleted_at is not null as is_deleted,
             s.disabled_at is not null or s.workspace_deleted_at is not null as is_disabled,
             s.endpoint_url, s.workspace, s.secret_ciphertext,
             case when f.mode = 'full' and s.may_read then 'full' else 'thin' end as sent_mode
        from found f
        left join subscribers s on s.workspace_id = f.workspace_id and s.id = f.subscription_id)
    select l.job_id, l.claim, l.data, l.group_id, l.delivery_id, l.workspace_id, l.subscription_id,
           l.event_id, l.event_type, l.number, l.epoch, l.resent_from, l.is_waited_for, l.is_deleted,
           l.is_disabled, l.endpoint_url, l.workspace, l.sent_mode, app.now() as started_at,
           l.claim >= ${sql.lit(lostClaimsLimit)} and not exists (
             select from webhook_attempts a
              where a.workspace_id = l.workspace_id and a.delivery_id = l.delivery_id
                and a.job_id = l.job_id) as is_lost,
           case when row_number() over (partition by l.subscription_id) = 1
                then l.secret_ciphertext end as secret_ciphertext,
           case when row_number() over (partition by l.event_id, l.sent_mode) = 1 then (
             select convert_from(b.bytes, 'UTF8') from webhook_bodies b
              where b.workspace_id = l.workspace_id and b.event_id = l.event_id
                and b.mode = l.sent_mode limit 1) end as body
      from loaded l`.execute(domain.db)
  const [secrets, bodies] = [new Map<string, Buffer>(), new Map<string, Buffer>()]
  for (const row of rows) {
    if (row.secret_ciphertext) secrets.set(row.subscription_id, row.secret_ciphertext)
    if (row.body !== null) bodies.set(bodyKey(row), Buffer.from(row.body))
  }
  return rows.map((row) =>
    judge(domain, row, {
      sealedSecret: secrets.get(row.subscription_id) ?? null,
      body: bodies.get(bodyKey(row)) ?? null,
    }),
  )
}

function bodyKey({ event_id, sent_mode }: Row): string {
  return `${event_id} ${sent_mode}`
}

type Shared = Pick<Attempt, 'sealedSecret' | 'body'>

function judge(domain: Domain, row: Row, shared: Shared): LoadedJob {
  const job = { id: row.job_id, claim: row.claim, data: row.data, group: row.group_id }
  if (!row.is_waited_for) return { todo: 'drop', job }
  const attempt = toAttempt(job, row, shared)
  if (row.is_deleted) return { todo: 'cancel', attempt }
  if (row.is_disabled) return { todo: 'hold', attempt }
  if (row.is_lost) {
    domain.log.error(
      { delivery: row.delivery_id },
      'every claim of an attempt was lost; it is held',
    )
    return { todo: 'hold', attempt }
  }
  // its body was purged between the asking and the sending
  if (row.resent_from && !attempt.body) return { todo: 'hold', attempt }
  return { todo: 'send', attempt }
}

function toAttempt(job: ClaimedJob, row: Row, shared: Shared): Attempt {
  return {
    job,
    workspaceId: row.workspace_id,
    workspace: row.workspace,
    deliveryId: row.delivery_id,
    subscriptionId: row.subscription_id,
    eventId: row.event_id,
    number: row.number,
    type: row.event_type,
    mode: row.sent_mode,
    epoch: row.epoch,
    resentFrom: row.resent_from,
    endpointUrl: row.endpoint_url,
    startedAt: row.started_at,
    ...shared,
  }
}
