import { createHash, timingSafeEqual } from 'node:crypto'

/** The one method there is: what proves nothing more than the challenge itself is no proof. RFC 7636. */
export const challengeMethod = 'S256'

export function isChallenge(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z0-9_-]{43}$/.test(text)
}

export function provesChallenge(verifier: string | undefined, challenge: string): boolean {
  if (verifier === undefined || !/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false
  const proved = createHash('sha256').update(verifier).digest()
  const asked = Buffer.from(challenge, 'base64url')
  return asked.length === proved.length && timingSafeEqual(asked, proved)
}
