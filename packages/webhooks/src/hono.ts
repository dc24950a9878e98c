import type { MiddlewareHandler } from 'hono'
import { type ReceiverOptions, type WebhookEvent, createReceiver } from './receive.ts'

export interface WebhookEnv {
  Variables: { webhook: WebhookEvent }
}

/**
 * Lets a verified, new delivery through as `context.get('webhook')`. An answer other than 2xx
 * means that it was not handled, and the next attempt comes through again.
 */
export function verifyWebhook(options: ReceiverOptions): MiddlewareHandler<WebhookEnv> {
  const receive = createReceiver(options)
  return async (context, next) => {
    const received = await receive({
      signature: context.req.header('x-svc-signature'),
      contentLength: context.req.header('content-length'),
      body: context.req.raw.body,
    })
    if ('refusal' in received) return context.json(received.refusal.body, received.refusal.status)
    context.set('webhook', received.event)
    let handled = false
    try {
      await next()
      handled = context.res.ok
    } finally {
      await received.settle(handled)
    }
    return undefined
  }
}
