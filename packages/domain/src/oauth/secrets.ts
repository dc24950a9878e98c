import { createHash, randomBytes } from 'node:crypto'

/** 256 bits, for a link or a code; only their hash is kept. */
export function newSecret(): { secret: string; hash: Buffer } {
  const secret = randomBytes(32).toString('base64url')
  return { secret, hash: hashSecret(secret) }
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
