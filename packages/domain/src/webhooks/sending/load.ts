import type { SettledState } from '@svc/contracts/webhook-subscription'
import { sql } from 'kysely'
import { z } from 'zod'
import { memberMay } from '../../access/member-may.ts'
import type { Domain } from '../../domain.ts'
import { type ClaimedJob, type FetchOptions, queues } from '../../commit/jobs.ts'
import { lostClaimsLimit } from './retry-schedule.ts'

const JobData = z.object({ workspaceId: z.uuid(), deliveryId: z.uuid() })

/** Of one claimed job: what it is about, and everything that its sending needs, as it stands now. */
export interface Attempt {
  job: ClaimedJob
  workspaceId: string
  deliveryId: string
  subscriptionId: string
  /** From 1. */
  number: number
  type: string
  epoch: number
  /** Of a resend: what the delivery was before it. */
  resentFrom: SettledState | null
  endpointUrl: string
  sealedSecret: Buffer | null
  /** After the id; null when it is gone. */
  body: Buffer | null
  startedAt: Date
}

/** What is to be done with a claimed job. `stale`: the schedule does not wait for it any more. */
export type LoadedJob =
  | { todo: 'send'; attempt: Attempt }
  | { todo: 'cancel' | 'hold'; attempt: Attempt }
  | { todo: 'drop'; job: ClaimedJob }

/** Claims due attempts, so many of one subscription at a time at most, over all processes. */
export function claimAttempts(domain: Domain, options: FetchOptions): Promise<ClaimedJob[]> {
  return domain.jobs.fetch(queues.webhookDelivery, options)
}

interface Row {
  job_id: string
  delivery_id: string
  workspace_id: string
  subscription_id: string
  event_type: string
  number: number
  epoch: number
  resent_from: SettledState | null
  is_waited_for: boolean
  is_deleted: boolean
  is_disabled: boolean
  is_lost: boolean
  endpoint_url: string
  secret_ciphertext: Buffer | null
  bytes: Buffer | null
  started_at: Date
}

/** `full` goes only to those whose creator may read missions at this moment. spec: Authentication, item 10. */
const creatorMayRead = memberMay('mission:read', {
  workspaceId: sql.ref('s.workspace_id'),
  userId: sql.ref('s.created_by'),
})

/**
 * One statement and no cache, so that a rotation, a disabling or a lost right holds for every later start. The limits
 * keep each part a look-up by key, whatever the planner believes of the tables: a plan that reads them whole costs a
 * thousand times as much.
 */
export async function loadAttempts(
  domain: Domain,
  jobs: readonly ClaimedJob[],
): Promise<LoadedJob[]> {
  const keys = jobs.map((job) => {
    const { workspaceId, deliveryId } = JobData.parse(job.data)
    return { workspaceId, deliveryId, jobId: job.id, claim: job.claim }
  })
  const { rows } = await sql<Row>`
    select c."jobId" as job_id, d.id as delivery_id, d.workspace_id, d.subscription_id, d.event_type,
           d.attempts + 1 as number, d.epoch, d.resent_from,
           d.state = 'pending' and d.job_id = c."jobId" as is_waited_for,
           s.deleted_at is not null as is_deleted, s.disabled_at is not null as is_disabled,
           c.claim >= ${lostClaimsLimit} and not exists (
             select from webhook_attempt a
              where a.workspace_id = d.workspace_id and a.delivery_id = d.id
                and a.job_id = c."jobId") as is_lost,
           s.endpoint_url, s.secret_ciphertext, b.bytes, app.now() as started_at
      from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
             as c("workspaceId" uuid, "deliveryId" uuid, "jobId" uuid, claim int)
      cross join lateral (
        select * from webhook_delivery
         where workspace_id = c."workspaceId" and id = c."deliveryId" limit 1) d
      cross join lateral (
        select * from webhook_subscription
         where workspace_id = d.workspace_id and id = d.subscription_id limit 1) s
      left join lateral (
        select bytes from webhook_body
         where workspace_id = d.workspace_id and event_id = d.event_id
           and mode = case when d.mode = 'full' and ${creatorMayRead} then 'full' else 'thin' end
         limit 1) b on true`.execute(domain.db)
  const byJob = new Map(rows.map((row) => [row.job_id, row]))
  return jobs.map((job) => judge(domain, job, byJob.get(job.id)))
}

function judge(domain: Domain, job: ClaimedJob, row: Row | undefined): LoadedJob {
  if (!row?.is_waited_for) return { todo: 'drop', job }
  const attempt = toAttempt(job, row)
  if (row.is_deleted) return { todo: 'cancel', attempt }
  if (row.is_disabled) return { todo: 'hold', attempt }
  if (row.is_lost) {
    domain.log.error(
      { delivery: row.delivery_id },
      'every claim of an attempt was lost; it is held',
    )
    return { todo: 'hold', attempt }
  }
  // its body was forgotten between the asking and the sending
  if (row.resent_from && !row.bytes) return { todo: 'hold', attempt }
  return { todo: 'send', attempt }
}

function toAttempt(job: ClaimedJob, row: Row): Attempt {
  return {
    job,
    workspaceId: row.workspace_id,
    deliveryId: row.delivery_id,
    subscriptionId: row.subscription_id,
    number: row.number,
    type: row.event_type,
    epoch: row.epoch,
    resentFrom: row.resent_from,
    endpointUrl: row.endpoint_url,
    sealedSecret: row.secret_ciphertext,
    body: row.bytes,
    startedAt: row.started_at,
  }
}
