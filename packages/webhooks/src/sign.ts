import { createHmac } from 'node:crypto'

export interface SignInput {
  /** The whole `whsec_…` string; its UTF-8 bytes are the key. */
  secret: string
  /** Unix seconds. */
  timestamp: number
  /** Exactly what is sent. */
  body: string | Uint8Array
}

/** The value of X-Svc-Signature: `t=<unix seconds>,v1=<hex>`. */
export function sign(input: SignInput): string {
  if (!Number.isSafeInteger(input.timestamp) || input.timestamp < 0) {
    throw new RangeError('Give the timestamp of a signature in whole unix seconds.')
  }
  return `t=${input.timestamp},v1=${signatureOf(input)}`
}

/** Hex HMAC-SHA256 over `<timestamp>.<body>`. */
export function signatureOf({ secret, timestamp, body }: SignInput): string {
  if (secret === '') throw new RangeError('Give the secret of the webhook subscription.')
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
}
