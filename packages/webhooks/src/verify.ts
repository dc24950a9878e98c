import { timingSafeEqual } from 'node:crypto'
import { signatureOf } from './sign.ts'

const messages = {
  missing_header:
    'The request has no X-Svc-Signature header; check that nothing on the way drops it.',
  malformed_header: 'X-Svc-Signature must hold exactly one t in unix seconds and at least one v1.',
  wrong_signature:
    'No signature matches: verify the raw bytes of the body with the current secret of the subscription.',
  stale_timestamp: 'The signature is too old or from the future; check the clock of this machine.',
} as const

export type WebhookVerificationCode = keyof typeof messages

export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly code: WebhookVerificationCode

  constructor(code: WebhookVerificationCode) {
    super(messages[code])
    this.code = code
  }
}

export interface VerifyInput {
  /** The whole `whsec_…` string. */
  secret: string
  /** The value of X-Svc-Signature. */
  header: string | null | undefined
  /** The body as it came, before any parsing. */
  body: string | Uint8Array
  /** Unix seconds; the machine's clock unless given. */
  now?: number
  /** How far `t` may be from now, in the past or in the future. */
  toleranceSeconds?: number
}

/** Throws WebhookVerificationError unless the body was signed with the secret just now. */
export function verify(input: VerifyInput): { timestamp: number } {
  const { secret, header, body, toleranceSeconds = 300 } = input
  if (!header) throw new WebhookVerificationError('missing_header')
  const { timestamp, signatures } = parse(header)
  const expected = Buffer.from(signatureOf({ secret, timestamp, body }))
  if (!signatures.some((signature) => equals(Buffer.from(signature), expected))) {
    throw new WebhookVerificationError('wrong_signature')
  }
  const now = input.now ?? Math.floor(Date.now() / 1000)
  // Written so that a clock that is not a number refuses.
  if (!(Math.abs(now - timestamp) <= toleranceSeconds)) {
    throw new WebhookVerificationError('stale_timestamp')
  }
  return { timestamp }
}

function parse(header: string): { timestamp: number; signatures: string[] } {
  const parts = header.split(',').map((part) => {
    const at = part.indexOf('=')
    return { name: part.slice(0, at).trim(), value: part.slice(at + 1).trim() }
  })
  const values = (name: string) => parts.filter((p) => p.name === name).map((p) => p.value)
  const [time, ...more] = values('t')
  const signatures = values('v1')
  // No leading zero: what is signed is the number's own text.
  if (!time || more.length > 0 || !/^(0|[1-9]\d{0,11})$/.test(time) || signatures.length === 0) {
    throw new WebhookVerificationError('malformed_header')
  }
  return { timestamp: Number(time), signatures }
}

function equals(given: Uint8Array, expected: Uint8Array): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}
