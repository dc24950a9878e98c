import type { Client } from '@svc/client/client'
import { isServiceError } from '@svc/contracts/errors'
import { builtInEventTypes } from '@svc/contracts/events'
import { createApp } from '@svc/http/create-app'
import { type Serving, serve } from '@svc/http/serve'
import type { Log } from '@svc/process/log'
import { type WebhookEvent, createReceiver } from '@svc/webhooks/receive'
import { z } from 'zod'
import { readIfThere, writePrivate } from './data-folder.ts'

const path = '/events'
const name = 'demonstration'

const Subscription = z.object({ id: z.string(), secret: z.string() })

export interface WebhookConsumer extends AsyncDisposable {
  /** As the allowlist of internal hosts spells it. */
  readonly host: string
  /** Subscribes it, or gives an earlier subscription the address at which it listens now. */
  subscribe: (client: Client, onEvent: (event: WebhookEvent) => void) => Promise<void>
}

/** A customer's system in small: verifies what the dispatcher sends, and reports each event once. */
export async function openWebhookConsumer(keptAt: string, log: Log): Promise<WebhookConsumer> {
  const app = createApp(log)
  let receive: ReturnType<typeof createReceiver> | undefined
  let notify: (event: WebhookEvent) => void = () => undefined
  app.post(path, async ({ req, json, body }) => {
    // without its secret it cannot verify, so it says that it is not ready and the attempt comes again
    if (!receive) return body(null, 503)
    const received = await receive({
      signature: req.header('x-svc-signature'),
      contentLength: req.header('content-length'),
      body: req.raw.body,
    })
    if ('refusal' in received) return json(received.refusal.body, received.refusal.status)
    notify(received.event)
    await received.settle(true)
    return body(null, 204)
  })
  const serving: Serving = await serve({ app, host: '127.0.0.1', port: 0, drainSeconds: 0, log })

  return {
    host: `127.0.0.1:${serving.port}`,
    async subscribe(client, onEvent) {
      notify = onEvent
      const { secret } = await ensureSubscription(client, keptAt, `${serving.url}${path}`)
      receive = createReceiver({ secret })
    },
    [Symbol.asyncDispose]: () => serving[Symbol.asyncDispose](),
  }
}

async function ensureSubscription(client: Client, keptAt: string, endpointUrl: string) {
  const known = readSubscription(keptAt)
  if (known && (await moveTo(client, known.id, endpointUrl))) return known
  const { webhook, secret } = await client.call('createWebhook', {
    name,
    endpointUrl,
    eventTypes: [...builtInEventTypes],
    payloadMode: 'full',
  })
  writePrivate(keptAt, JSON.stringify({ id: webhook.id, secret }))
  return { id: webhook.id, secret }
}

function readSubscription(keptAt: string): z.infer<typeof Subscription> | undefined {
  try {
    return Subscription.parse(JSON.parse(readIfThere(keptAt) ?? ''))
  } catch {
    return undefined
  }
}

/** A person may have deleted it meanwhile. */
async function moveTo(client: Client, id: string, endpointUrl: string): Promise<boolean> {
  try {
    const { webhook } = await client.call('getWebhook', { id })
    if (webhook.endpointUrl !== endpointUrl) {
      await client.call('updateWebhook', { id, endpointUrl, expectedRevision: webhook.revision })
    }
    return true
  } catch (error) {
    if (isServiceError(error) && error.code === 'not_found') return false
    throw error
  }
}
