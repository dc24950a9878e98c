import type { PayloadMode } from '@svc/contracts/webhook-subscription'
import type { WebhookEventRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import type { Domain } from '../../domain.ts'
import { byKey } from '../../common/by-key.ts'
import { idFor } from '../../common/ids.ts'
import { type ClaimedJob, type NewJob, jobId, jobRows, queues } from '../../jobs/jobs.ts'
import { channels } from '../../jobs/wake-hub.ts'
import { subscribes } from '../../events/subscribes.ts'
import { type NamedEvent, makeBody, namesOfEvent } from '../../events/make-body.ts'
import { EventSnapshot } from '../../events/event-snapshot.ts'
import { type DeliveryTiming, deferSeconds } from './retry-schedule.ts'
import { stepOfEvent } from '../../commit/outbox.ts'
import { type Step, noteStep } from '../../commit/steps.ts'
import { inTransaction } from '../../commit/transaction.ts'
import type { Queryable, Tx } from '@svc/db/database'
import { gather } from '@svc/db/gather'
import { type UnitOfWork, wakeAfterCommit } from '../../commit/unit-of-work.ts'

/** How many events a pass takes at most; fewer means that no more are due. */
export const fanOutBatch = 50

const eventJobs = jobRows.of(queues.webhookEvent)

/** Those that are due, which nobody else takes meanwhile. */
const dueJobs = sql`
  select j.id, j.data from ${jobRows.table}
   where ${eventJobs} and ${jobRows.isDue}
   order by ${jobRows.turn} limit ${sql.lit(fanOutBatch)} for update of j skip locked`

function claimedJob({ id, claim }: ClaimedJob): RawBuilder<unknown> {
  return sql`
    select j.id, j.data from ${jobRows.table}
     where ${eventJobs} and j.id = ${id} and ${jobRows.isClaimed} and j.retry_count = ${claim}
       for update of j`
}

/**
 * One pass: makes the deliveries of a batch of events. Answers how many jobs it met. They are claimed by no word of their own:
 * whoever dies on the way leaves them as they were.
 */
export async function fanOutDue(domain: Domain, timing: DeliveryTiming): Promise<number> {
  if (!(await isAnyDue(domain.db))) return 0
  try {
    return await fanOut(domain, dueJobs, timing)
  } catch (error) {
    domain.log.warn({ err: error }, 'a batch of events failed; each is tried by itself')
    const claims = await domain.jobs.fetch(queues.webhookEvent, { limit: fanOutBatch })
    for (const claim of claims) await fanOutAlone(domain, claim, timing)
    return claims.length
  }
}

/** Most passes find nothing: that is one statement, and no transaction. */
async function isAnyDue(db: Queryable): Promise<boolean> {
  const { rows } = await sql`
    select from ${jobRows.table} where ${eventJobs} and ${jobRows.isDue} limit 1`.execute(db)
  return rows.length > 0
}

async function fanOutAlone(domain: Domain, claim: ClaimedJob, timing: DeliveryTiming) {
  try {
    await fanOut(domain, claimedJob(claim), timing)
  } catch (error) {
    domain.log.warn({ err: error, job: claim.id }, 'an event could not be handed on')
    await inTransaction({ domain }, (tx) =>
      domain.jobs.release(tx, queues.webhookEvent, claim, deferSeconds(claim.claim)),
    )
  }
}

/**
 * In one transaction: what the subscribers of the jobs' events are to get, and that it is made. A repeat finds nothing to do.
 * Answers how many jobs there were.
 */
function fanOut(
  domain: Domain,
  jobs: RawBuilder<unknown>,
  timing: DeliveryTiming,
): Promise<number> {
  return inTransaction({ domain }, async (tx) => {
    const { events, found, taken } = await takeEvents(tx, jobs)
    const matches = await lookAgain(tx, found)
    const bodies: Body[] = []
    for (const event of events) {
      const own = matches.filter((match) => match.event_id === event.id)
      if (own.length > 0) bodies.push(...(await makeBodies(tx, event, own)))
      noteStep(tx, () => handOn(event, own.length))
    }
    writeBodies(tx, bodies)
    writeDeliveries(tx, matches, timing)
    markFannedOut(tx, events)
    return taken.length
  })
}

function handOn(event: NamedEvent, deliveries: number): Step {
  const { id, type, workspace_id: workspaceId, mission_id: missionId } = event
  const snapshot = EventSnapshot.parse(event.snapshot)
  const about = stepOfEvent({ type, workspaceId, missionId, snapshot })
  return { did: 'fan_out', id, ...about, deliveries }
}

interface Match {
  workspace_id: string
  event_id: string
  type: string
  subscription_id: string
  mode: PayloadMode
  disabled: boolean
  epoch: number
}

/**
 * Ends the jobs and answers their events that are not handed on yet, each with every subscription that matches its type and
 * project, of its own workspace alone. The events are locked in order of id, so that two that share some do not wait for each
 * other; each is a look-up by its key, which offset and limit keep. spec: Events.
 */
function takeEvents(tx: Tx, jobs: RawBuilder<unknown>) {
  const most = sql.lit(fanOutBatch)
  const common = sql`
    jobs as materialized (${jobs}),
    taken as (
      delete from ${jobRows.table}
       where ${eventJobs} and j.id = any(array(select id from jobs))
      returning j.id),
    named as (
      select distinct (data ->> 'eventId')::uuid as id, (data ->> 'workspaceId')::uuid as workspace_id
        from jobs order by id limit ${most}),
    events as materialized (
      select found.* from named cross join lateral (
        select t.* from webhook_events t
         where t.workspace_id = named.workspace_id and t.id = named.id and t.fanned_out_at is null
        offset 0 for no key update) found limit ${most})`
  const reads = {
    events: sql<NamedEvent>`select e.*, ${namesOfEvent} from events e order by e.id`,
    found: sql<Match>`
      select e.workspace_id, e.id as event_id, e.type, s.id as subscription_id, s.payload_mode as mode,
             s.disabled_at is not null as disabled, s.epoch
        from events e
        join webhook_subscriptions s on ${subscribes} and s.created_at < e.occurred_at
       order by e.id, s.id`,
    taken: sql<{ id: string }>`select id from taken`,
  }
  return gather(tx, reads, common)
}

/**
 * Enabling a subscription says how many deliveries are held. These locks let it wait for those that are held here, and
 * find what was enabled meanwhile. In order of id, against deadlocks.
 */
async function lookAgain(tx: Tx, matches: readonly Match[]): Promise<readonly Match[]> {
  const disabled = matches.filter((match) => match.disabled)
  if (disabled.length === 0) return matches
  const keys = disabled.map((match) => ({ ...match, id: match.subscription_id }))
  const { rows } = await sql<Pick<Match, 'subscription_id' | 'disabled' | 'epoch'>>`
    select id as subscription_id, disabled_at is not null as disabled, epoch
      from ${byKey('webhook_subscriptions', keys, { lock: sql`for share` })} s`.execute(tx)
  const found = new Map(rows.map((row) => [row.subscription_id, row]))
  return matches.map((match) => ({ ...match, ...found.get(match.subscription_id) }))
}

/** A full subscriber's thin body is kept too: it is sent once the creator may read no more. */
async function makeBodies(tx: Tx, event: NamedEvent, matches: readonly Match[]): Promise<Body[]> {
  const bodies: Body[] = [{ event, mode: 'thin', text: await makeBody(tx, event, 'thin') }]
  if (matches.some((match) => match.mode === 'full')) {
    bodies.push({ event, mode: 'full', text: await makeBody(tx, event, 'full') })
  }
  return bodies
}

interface Body {
  event: NamedEvent
  mode: PayloadMode
  text: string
}

/** As text, which is half of what the driver would make of bytes. */
function writeBodies(tx: UnitOfWork, bodies: readonly Body[]): void {
  if (bodies.length === 0) return
  const write = sql`
    insert into webhook_bodies (workspace_id, event_id, mode, bytes)
    select workspace_id, event_id, mode, convert_to(text, 'UTF8')
      from unnest(${bodies.map(({ event }) => event.workspace_id)}::uuid[],
                  ${bodies.map(({ event }) => event.id)}::uuid[],
                  ${bodies.map(({ mode }) => mode)}::text[],
                  ${bodies.map(({ text }) => text)}::text[])
             as made(workspace_id, event_id, mode, text)`
  tx.pending.addStatement('bodies', write)
}

function writeDeliveries(tx: UnitOfWork, matches: readonly Match[], timing: DeliveryTiming): void {
  if (matches.length === 0) return
  const deliveries = matches.map((match) => {
    // a consumer knows it by this, also where the database was put back to before it was made
    const id = idFor(match.event_id, match.subscription_id)
    return { ...match, id, jobId: match.disabled ? null : jobId(id, '1') }
  })
  const write = sql`
    insert into webhook_deliveries (workspace_id, id, subscription_id, kind, event_id, event_type, mode,
                                  epoch, job_id, jobs, state, next_attempt_at, settled_at)
    select workspace_id, id, subscription_id, 'event', event_id, type, mode, epoch, "jobId",
           case when disabled then 0 else 1 end,
           case when disabled then 'held' else 'pending' end,
           case when not disabled then app.now() end,
           case when disabled then app.now() end
      from jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb)
        as d(workspace_id uuid, id uuid, subscription_id uuid, event_id uuid, type text, mode text,
             epoch int, "jobId" uuid, disabled boolean)`
  tx.pending.addStatement('deliveries', write)
  wakeAfterCommit(tx, channels.deliveries)
  for (const delivery of deliveries) {
    if (delivery.jobId === null) continue
    tx.pending.addJob(queues.webhookDelivery, attemptJob(delivery, delivery.jobId, timing))
  }
}

interface Subscribed {
  workspace_id: string
  id: string
  subscription_id: string
}

/** The job of one attempt; its id is used for nothing else. Decision 58. */
export function attemptJob(
  delivery: Subscribed,
  id: string,
  timing: DeliveryTiming,
  startAfter = 0,
): NewJob {
  return {
    id,
    data: { workspaceId: delivery.workspace_id, deliveryId: delivery.id },
    group: delivery.subscription_id,
    lease: timing.leaseSeconds,
    startAfter,
  }
}

/** The rows are locked, so their ctids stay what they are. */
function markFannedOut(tx: UnitOfWork, events: readonly WebhookEventRow[]): void {
  if (events.length === 0) return
  const write = sql`
    update webhook_events e set fanned_out_at = app.now()
      from ${byKey('webhook_events', events)} named where e.ctid = named.row_ctid`
  tx.pending.addStatement('handed_on', write)
}
