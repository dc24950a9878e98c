import type { PayloadMode } from '@svc/contracts/webhook-subscription'
import type { WebhookEventRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Domain } from '../../domain.ts'
import { byKey } from '../../common/by-key.ts'
import { idFor } from '../../common/ids.ts'
import { type ClaimedJob, type NewJob, jobId, queues } from '../../jobs/jobs.ts'
import { channels } from '../../jobs/wake-hub.ts'
import { subscribes } from '../../events/subscribes.ts'
import { type NamedEvent, makeBody, namesOfEvent } from '../../events/make-body.ts'
import { EventSnapshot } from '../../events/event-snapshot.ts'
import { type DeliveryTiming, deferSeconds } from './retry-schedule.ts'
import { stepOfEvent } from '../../commit/outbox.ts'
import { type Step, noteStep } from '../../commit/steps.ts'
import { inTransaction } from '../../commit/transaction.ts'
import type { Tx } from '@svc/db/database'
import { type UnitOfWork, wakeAfterCommit } from '../../commit/unit-of-work.ts'

const JobData = z.object({ workspaceId: z.uuid(), eventId: z.uuid() })
/** How many events a pass takes at most; fewer means that no more are due. */
export const fanOutBatch = 50

/** One pass: claims a batch of events and makes their deliveries. Answers how many jobs it met. */
export async function fanOutDue(domain: Domain, timing: DeliveryTiming): Promise<number> {
  const claims = await domain.jobs.fetch(queues.webhookEvent, { limit: fanOutBatch })
  if (claims.length === 0) return 0
  try {
    await fanOut(domain, claims, timing)
  } catch (error) {
    domain.log.warn({ err: error }, 'a batch of events failed; each is tried by itself')
    for (const claim of claims) await fanOutAlone(domain, claim, timing)
  }
  return claims.length
}

async function fanOutAlone(domain: Domain, claim: ClaimedJob, timing: DeliveryTiming) {
  try {
    await fanOut(domain, [claim], timing)
  } catch (error) {
    domain.log.warn({ err: error, job: claim.id }, 'an event could not be handed on')
    await inTransaction({ domain }, (tx) =>
      domain.jobs.release(tx, queues.webhookEvent, claim, deferSeconds(claim.claim)),
    )
  }
}

/** In one transaction: what the events' subscribers are to get, and that it is made. A repeat finds nothing to do. */
export function fanOut(
  domain: Domain,
  claims: readonly ClaimedJob[],
  timing: DeliveryTiming,
): Promise<void> {
  return inTransaction({ domain }, async (tx) => {
    const keys = claims.map(keyOf)
    const [events, found] = await Promise.all([
      lockEvents(tx, keys),
      findMatches(tx, keys),
      domain.jobs.finish(tx, queues.webhookEvent, claims),
    ])
    const handedOn = new Set(events.map(({ id }) => id))
    const due = found.filter(({ event_id: id }) => handedOn.has(id))
    const matches = await lookAgain(tx, due)
    const bodies: Body[] = []
    for (const event of events) {
      const own = matches.filter((match) => match.event_id === event.id)
      if (own.length > 0) bodies.push(...(await makeBodies(tx, event, own)))
      noteStep(tx, () => handOn(event, own.length))
    }
    writeBodies(tx, bodies)
    writeDeliveries(tx, matches, timing)
    markFannedOut(tx, events)
  })
}

function handOn(event: NamedEvent, deliveries: number): Step {
  const { id, type, workspace_id: workspaceId, mission_id: missionId } = event
  const snapshot = EventSnapshot.parse(event.snapshot)
  const about = stepOfEvent({ type, workspaceId, missionId, snapshot })
  return { did: 'fan_out', id, ...about, deliveries }
}

type EventKey = Pick<WebhookEventRow, 'workspace_id' | 'id'>

function keyOf({ data }: ClaimedJob): EventKey {
  const { workspaceId, eventId } = JobData.parse(data)
  return { workspace_id: workspaceId, id: eventId }
}

/** In order of id, so that two that share events do not wait for each other. */
async function lockEvents(tx: Tx, keys: readonly EventKey[]): Promise<NamedEvent[]> {
  const waiting = { where: sql`t.fanned_out_at is null`, lock: sql`for no key update` }
  const { rows } = await sql<NamedEvent>`
    select e.*, ${namesOfEvent}
      from ${byKey('webhook_events', keys, waiting)} e`.execute(tx)
  return rows
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

/** spec: Events: every subscription that matches type and project, of the event's own workspace alone. */
async function findMatches(tx: Tx, keys: readonly EventKey[]): Promise<Match[]> {
  const { rows } = await sql<Match>`
    select e.workspace_id, e.id as event_id, e.type, s.id as subscription_id, s.payload_mode as mode,
           s.disabled_at is not null as disabled, s.epoch
      from ${byKey('webhook_events', keys)} e
      join webhook_subscriptions s on ${subscribes} and s.created_at < e.occurred_at
     order by e.id, s.id`.execute(tx)
  return rows
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
