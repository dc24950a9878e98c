import type { Client } from '@svc/client/client'
import type { FeedEvent } from '@svc/contracts/feed'
import { until } from './until.ts'

/** Somebody who follows the live feed of a workspace, over as many connections as it takes. */
export interface Hearing extends AsyncDisposable {
  readonly events: readonly FeedEvent[]
  /** How often a delivery was heard of. */
  deliveries: (id: string) => number
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
