import { type ReceiverOptions, type WebhookEvent, createReceiver } from './receive.ts'

/** What is needed of an Express request; a plain `http.IncomingMessage` serves too. */
export interface WebhookRequest extends AsyncIterable<Uint8Array> {
  headers: Record<string, string | string[] | undefined>
  body?: unknown
  webhook?: WebhookEvent
}

/** What is needed of an Express response; a plain `http.ServerResponse` serves too. */
export interface WebhookResponse {
  statusCode: number
  readonly writableFinished: boolean
  setHeader(name: string, value: string): unknown
  end(body: string): unknown
  once(event: 'close', listener: () => void): unknown
}

type Next = (error?: unknown) => void

/**
 * Lets a verified, new delivery through as `request.webhook`. An answer other than 2xx means that
 * it was not handled, and the next attempt comes through again. Mount it before `express.json()`.
 */
export function verifyWebhook(
  options: ReceiverOptions,
): (request: WebhookRequest, response: WebhookResponse, next: Next) => void {
  const receive = createReceiver(options)
  const run = async (request: WebhookRequest, response: WebhookResponse, next: Next) => {
    const signature = request.headers['x-svc-signature']
    const received = await receive({
      signature: Array.isArray(signature) ? signature.join(',') : signature,
      contentLength: String(request.headers['content-length'] ?? ''),
      body: rawBodyOf(request),
    })
    if ('refusal' in received) {
      response.statusCode = received.refusal.status
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(received.refusal.body))
      return
    }
    response.once('close', () => {
      const handled = response.writableFinished && isSuccess(response.statusCode)
      received.settle(handled).catch(next)
    })
    request.webhook = received.event
    next()
  }
  return (request, response, next) => {
    run(request, response, next).catch(next)
  }
}

function rawBodyOf(request: WebhookRequest): string | Uint8Array | WebhookRequest {
  const { body } = request
  if (body === undefined) return request
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  throw new Error('Mount verifyWebhook before express.json(): the signature is over the raw body.')
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}
