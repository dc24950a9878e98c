import type { Client } from '@svc/client/client'
import type { FeedEvent } from '@svc/contracts/feed'
import type { RouteRequest } from '@svc/contracts/rest'
import { type Receiver, openReceiver } from '@svc/testing/receiver'
import { until } from './until.ts'

/** Somebody who follows the live feed of a workspace, over as many connections as it takes. */
export interface Hearing extends AsyncDisposable {
  readonly events: readonly FeedEvent[]
  /** How often a delivery was heard of. */
  deliveries: (id: string) => number
}

/** What these events of the workspace are posted to from then on. */
export async function receiveEvents(
  client: Client,
  eventTypes: RouteRequest<'createWebhook'>['eventTypes'],
): Promise<Receiver> {
  await using opened = new AsyncDisposableStack()
  const receiver = opened.use(await openReceiver())
  await client.call('createWebhook', { name: 'Chat', endpointUrl: receiver.url, eventTypes })
  opened.move()
  return receiver
}

/** Resolves once it has begun, so that it misses nothing from then on. */
export async function followFeedOf(client: Client): Promise<Hearing> {
  const events: FeedEvent[] = []
  const gone = new AbortController()
  const reading = (async () => {
    for await (const event of client.feed({ signal: gone.signal })) events.push(event)
  })()
  await until('the feed has begun', () => events.length > 0)
  return {
    events,
    deliveries: (id) =>
      events.filter(
        ({ event, data }) =>
          event === 'change' && data.entity === 'delivery' && data.entityId === id,
      ).length,
    async [Symbol.asyncDispose]() {
      gone.abort()
      await reading
    },
  }
}
