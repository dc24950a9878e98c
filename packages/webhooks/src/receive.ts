import { type SeenStore, createMemoryStore } from './seen-store.ts'
import { WebhookVerificationError, verify } from './verify.ts'

export interface ReceiverOptions {
  secret: string
  /** In memory unless given. */
  store?: SeenStore
  /** Larger bodies are refused unread. */
  maxBytes?: number
  toleranceSeconds?: number
  /** Unix seconds. */
  now?: () => number
}

/** A verified body. `id` is the delivery: equal in every attempt, so duplicates are known by it. */
export interface WebhookEvent {
  id: string
  type: string
  [field: string]: unknown
}

export interface Refusal {
  status: 200 | 400 | 409 | 413
  body: { duplicate: true } | { error: string; message: string }
}

export type Received =
  | { refusal: Refusal }
  | { event: WebhookEvent; settle: (handled: boolean) => Promise<void> }

interface RawRequest {
  signature: string | null | undefined
  contentLength: string | null | undefined
  body: string | Uint8Array | AsyncIterable<Uint8Array> | null
}

/** What both middlewares do: read, verify, parse, and let each delivery through once. */
export function createReceiver(options: ReceiverOptions): (raw: RawRequest) => Promise<Received> {
  const store = options.store ?? createMemoryStore()
  const maxBytes = options.maxBytes ?? 1_048_576
  return async ({ signature, contentLength, body: source }) => {
    const tooLarge = Number(contentLength ?? 0) > maxBytes
    const body = tooLarge ? undefined : await readBody(source, maxBytes)
    if (body === undefined) return refuse(413, 'body_too_large', 'The body is over the limit.')
    const refusal = check(options, signature, body)
    if (refusal) return { refusal }
    const event = parseEvent(body)
    if (!event) return refuse(400, 'malformed_body', 'The signed body is not a webhook event.')
    const begun = await store.begin(event.id)
    if (begun === 'handled') return { refusal: { status: 200, body: { duplicate: true } } }
    // Only a failed attempt comes again, should the one in progress fail.
    if (begun === 'in_progress') {
      return refuse(409, 'in_progress', 'Another attempt of this delivery is being handled.')
    }
    return {
      event,
      settle: async (handled) => {
        await (handled ? store.finish(event.id) : store.abandon(event.id))
      },
    }
  }
}

function check(
  { secret, toleranceSeconds, now }: ReceiverOptions,
  header: string | null | undefined,
  body: Uint8Array,
): Refusal | undefined {
  try {
    verify({
      secret,
      header,
      body,
      ...(toleranceSeconds !== undefined && { toleranceSeconds }),
      ...(now && { now: now() }),
    })
    return undefined
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return { status: 400, body: { error: error.code, message: error.message } }
  }
}

function parseEvent(body: Uint8Array): WebhookEvent | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    return isEvent(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isEvent(value: unknown): value is WebhookEvent {
  if (typeof value !== 'object' || value === null) return false
  return (
    'id' in value &&
    typeof value.id === 'string' &&
    value.id !== '' &&
    'type' in value &&
    typeof value.type === 'string'
  )
}

async function readBody(
  source: RawRequest['body'],
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  if (source === null) return new Uint8Array()
  if (typeof source === 'string' || source instanceof Uint8Array) {
    const bytes = Buffer.from(source)
    return bytes.length > maxBytes ? undefined : bytes
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function refuse(status: Refusal['status'], error: string, message: string): { refusal: Refusal } {
  return { refusal: { status, body: { error, message } } }
}
