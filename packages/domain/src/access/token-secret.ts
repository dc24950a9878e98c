import { randomBytes } from 'node:crypto'
import { base62, tokenChecksum, tokenPrefixes } from '@svc/contracts/token-form'

/** `bytes`: 32 of them that nobody can guess. */
export function newTokenSecret(
  kind: keyof typeof tokenPrefixes,
  bytes: Buffer = randomBytes(32),
): string {
  const body = tokenPrefixes[kind] + digitsOf(bytes)
  return body + tokenChecksum(body)
}

function digitsOf(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`)
  let digits = ''
  for (let place = 0; place < 43; place += 1) {
    digits = base62.charAt(Number(rest % 62n)) + digits
    rest /= 62n
  }
  return digits
}
