import { createHash, randomBytes } from 'node:crypto'

export interface Secret {
  secret: string
  /** What is kept of it: of 256 random bits their digest gives nothing away. */
  hash: Buffer
}

/** For a link, a code, or what one browser alone keeps. */
export function newSecret(): Secret {
  const secret = randomBytes(32).toString('base64url')
  return { secret, hash: hashSecret(secret) }
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
