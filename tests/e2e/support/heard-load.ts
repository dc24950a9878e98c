import { type Client, createClient } from '@svc/client/client'
import type { RouteRequest } from '@svc/contracts/rest'
import { advance } from '@svc/testing/clock'
import type { Receiver } from '@svc/testing/receiver'
import { expect } from 'vitest'
import { type Carried, startCycles } from './cycles.ts'
import { type Deployment, claimLapsesMs } from './deployment.ts'
import { followFeedOf, receiveEvents } from './hearing.ts'
import { until } from './until.ts'

const clients = 4

/** A workspace whose events a webhook and the feed tell of, and clients that carry objectives in it. */
export interface HeardLoad extends AsyncDisposable {
  client: Client
  receiver: Receiver
  start: () => Load
}

export interface Load {
  /** Resolves once the clients have carried so many more each. */
  goOn: (cycles: number) => Promise<unknown>
  stop: () => Promise<readonly Carried[]>
  /** Each delivery was told once by the feed, and posted in the same words, and so were so many other events. */
  expectHeard: (others: number) => Promise<void>
}

/** Of the events, each objective that is carried publishes one. */
export async function openHeardLoad(
  service: Deployment,
  eventTypes: RouteRequest<'createWebhook'>['eventTypes'],
): Promise<HeardLoad> {
  await using opened = new AsyncDisposableStack()
  const to = { baseUrl: service.baseUrl, token: await service.token() }
  const client = createClient(to)
  const receiver = opened.use(await receiveEvents(client, eventTypes))
  const hearing = opened.use(await followFeedOf(client))
  const kept = opened.move()
  return {
    client,
    receiver,
    start() {
      const { carried, stop } = startCycles(clients, to)
      return {
        goOn(cycles) {
          const all = carried.length + cycles * clients
          const details = service.api.started().output
          return until('every client goes on', () => carried.length >= all, { details })
        },
        async stop() {
          await stop()
          return carried
        },
        async expectHeard(others) {
          const posts = () => Map.groupBy(receiver.posts, ({ body }) => body.id)
          const wanted = carried.length + others
          // what was being handed on when the connections broke is claimed for so long
          await advance(service.domain.db, claimLapsesMs)
          await until('every event was posted', () => posts().size >= wanted)
          expect(posts().size).toBe(wanted)
          for (const sent of posts().values()) {
            expect(new Set(sent.map(({ raw }) => raw.toString())).size).toBe(1)
          }
          const heard = () => carried.map(({ deliveryId }) => hearing.deliveries(deliveryId))
          await until('the feed has told every delivery', () => heard().every((times) => times > 0))
          expect(new Set(heard())).toEqual(new Set([1]))
        },
      }
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
