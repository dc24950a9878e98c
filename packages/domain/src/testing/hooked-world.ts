import type { RouteRequest } from '@svc/contracts/rest'
import type { WebhookAttempt, WebhookDelivery } from '@svc/contracts/webhook-subscription'
import type { NotificationRow } from '@svc/db/tables'
import type { Domain } from '../domain.ts'
import type { OutboxEvent } from '../commit/outbox.ts'
import { createWakeHub } from '../jobs/wake-hub.ts'
import { deliverDue } from './deliver-due.ts'
import { openOutbound } from '@svc/outbound/open-outbound'
import { type Person, personWith } from './people.ts'
import { publishMany } from './publish-many.ts'
import { type Receiver, openReceiver } from '@svc/testing/receiver'
import { type World, test as base } from './world.ts'

/** A world with a customer's endpoint that subscriptions of its workspace reach. No dispatcher runs. */
export interface Hooked extends AsyncDisposable {
  world: World
  domain: Domain
  /** An admin whose calls can reach loopback. */
  alice: Person
  receiver: Receiver
  /** Hands on what is in the outbox, and makes the attempts that are due. */
  deliverDue: () => Promise<void>
  /** A subscription to the receiver. */
  subscribe: (
    input?: Partial<RouteRequest<'createWebhook'>>,
  ) => Promise<{ id: string; revision: number; secret: string }>
  /** A mission of its own, whose status is then changed: one event. */
  moveMission: (setUp?: { missionId?: string; projectId?: string }) => Promise<Moved>
  /** So many events about a mission that needs to be no real one. */
  publish: (count: number, event?: { type?: string; missionId?: string }) => Promise<string[]>
  /** The log of the subscription, the oldest first. */
  log: (subscription: { id: string }) => Promise<LogEntry[]>
  /** Lets time pass until this delivery's next attempt is due, and then makes it. */
  nextAttempt: (subscription: { id: string }) => Promise<void>
  /** What its admins were told of it, in order. */
  notices: (subscription: { id: string }) => Promise<Notice[]>
}

type Notice = Pick<NotificationRow, 'kind' | 'user_id' | 'link' | 'title'>

export type LogEntry = WebhookDelivery & { tries: WebhookAttempt[] }

export interface Moved {
  projectId: string
  missionId: string
}

export async function openHooked(world: World): Promise<Hooked> {
  await using opened = new AsyncDisposableStack()
  const domain: Domain = { ...world.domain, outbound: openOutbound(['*@127.0.0.1', '*@localhost']) }
  const receiver = opened.use(await openReceiver())
  const alice = personWith(domain, world.alice.token)

  const subscribe: Hooked['subscribe'] = async (input = {}) => {
    const { webhook, secret } = await alice.call('createWebhook', {
      name: 'Hook',
      endpointUrl: receiver.url,
      eventTypes: ['mission.status_changed'],
      ...input,
    })
    return { ...webhook, secret }
  }

  const moveMission: Hooked['moveMission'] = async (setUp = {}) => {
    const missionId = setUp.missionId ?? (await makeMission(world, setUp.projectId)).id
    const mission = await alice.mission({ id: missionId })
    const { statuses } = await alice.call('listProjectStatuses', { id: mission.projectId })
    const other = statuses.find((status) => status.id !== mission.status.id)
    await alice.call('moveMission', { id: missionId, statusId: other?.id ?? '' })
    return { missionId, projectId: mission.projectId }
  }

  const place = lazily(async () => placeOf(alice, (await makeMission(world, undefined)).id))
  const publish: Hooked['publish'] = async (count, event = {}) => {
    const { missionId, projectId } = await place()
    // an envelope leaves out what an event does not carry, so that the mission alone stands for all of them; and a type
    // may be any that a test makes up
    const whole = {
      workspaceId: world.workspaceId,
      projectId,
      missionId,
      type: 'mission.status_changed',
      snapshot: snapshotOf(missionId),
      ...event,
    } as OutboxEvent
    // told to nobody: what is due is done by who calls for it, and by no loop in between
    await using wake = createWakeHub(null, domain.log)
    return await publishMany({ ...domain, wake }, whole, count)
  }

  const log: Hooked['log'] = async ({ id }) => {
    const { deliveries } = await alice.call('listWebhookDeliveries', { id, limit: 200 })
    const whole = deliveries.toReversed().map(async (delivery) => {
      const request = { id, deliveryId: delivery.id }
      const { attempts } = await alice.call('getWebhookDelivery', request)
      return { ...delivery, tries: attempts }
    })
    return Promise.all(whole)
  }

  const nextAttempt: Hooked['nextAttempt'] = async (subscription) => {
    await world.advance(await secondsUntilDue(domain, subscription.id))
    await deliverDue(domain)
  }

  const notices: Hooked['notices'] = ({ id }) =>
    domain.db
      .selectFrom('notifications')
      .select(['kind', 'user_id', 'link', 'title'])
      .where('key', 'like', `% ${id} %`)
      .orderBy('id')
      .execute()

  opened.defer(async () => {
    const { webhooks } = await alice.call('listWebhooks', { limit: 200 })
    for (const { id } of webhooks) await alice.call('deleteWebhook', { id })
  })
  const resources = opened.move()
  return {
    world,
    publish,
    log,
    nextAttempt,
    domain,
    alice,
    receiver,
    deliverDue: () => deliverDue(domain),
    notices,
    subscribe,
    moveMission,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Whole seconds, by the clock of the database, until the subscription's next attempt is surely due. */
export async function secondsUntilDue(domain: Domain, subscriptionId: string): Promise<number> {
  const { next } = await domain.db
    .selectFrom('webhook_deliveries')
    .select((build) => build.fn.min('next_attempt_at').as('next'))
    .where('subscription_id', '=', subscriptionId)
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow()
  if (next === null) throw new Error('the subscription has no pending delivery')
  const left = new Date(next).getTime() - (await databaseNow(domain)).getTime()
  return Math.max(0, Math.ceil(left / 1000))
}

export async function databaseNow(domain: Domain): Promise<Date> {
  const { now } = await domain.db
    .selectNoFrom((build) => build.fn<Date>('app.now', []).as('now'))
    .executeTakeFirstOrThrow()
  return now
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

async function placeOf(alice: Person, missionId: string): Promise<Moved> {
  const { projectId } = await alice.mission({ id: missionId })
  return { missionId, projectId }
}

export function snapshotOf(missionId: string) {
  const status = { id: missionId, type: 'review', label: 'Review' } as const
  return {
    mission: {
      id: missionId,
      displayId: 'web:1',
      priority: 'normal' as const,
      revision: 3,
      title: 'A mission',
      status,
      createdAt: '2026-11-01T00:00:00.000Z',
    },
  }
}

async function makeMission(world: World, projectId: string | undefined): Promise<{ id: string }> {
  if (projectId === undefined) return (await world.missionWith(['do it'])).mission
  const { mission } = await world.alice.call('createMission', { projectId, title: 'A mission' })
  return mission
}

export const test = base.extend('hooked', async ({ world }, { onCleanup }) => {
  const hooked = await openHooked(world)
  onCleanup(() => hooked[Symbol.asyncDispose]())
  return hooked
})
