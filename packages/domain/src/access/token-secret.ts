import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefixes = { minted: 'svcut_', oauth: 'svcoa_' } as const

/** `svcut_` or `svcoa_`, 43 random base62 digits (32 bytes' worth), 6 digits of checksum over all before. */
export function newTokenSecret(kind: keyof typeof prefixes): string {
  const random = Array.from({ length: 43 }, () => base62[randomInt(62)]).join('')
  const body = prefixes[kind] + random
  return body + checksumOf(body)
}

/** Cheap proof that a string may be a token at all; asked before any database work. */
export function isWellFormedToken(token: string): boolean {
  if (!/^svc(?:ut|oa)_[0-9A-Za-z]{49}$/.test(token)) return false
  return checksumOf(token.slice(0, -6)) === token.slice(-6)
}

function checksumOf(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let place = 0; place < 6; place += 1) {
    digits = base62.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
