import { randomInt } from 'node:crypto'
import { base62, tokenChecksum, tokenPrefixes } from '@svc/contracts/token-form'

export function newTokenSecret(kind: keyof typeof tokenPrefixes): string {
  const random = Array.from({ length: 43 }, () => base62[randomInt(62)]).join('')
  const body = tokenPrefixes[kind] + random
  return body + tokenChecksum(body)
}
