export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const checksumDigits = 6
const tokenCharacters = 'svcut_'.length + 43 + checksumDigits

export const tokenPrefixes = { minted: 'svcut_', oauth: 'svcoa_' } as const

/** A prefix, 43 random base62 digits (32 bytes' worth), 6 digits of checksum over all before. */
export function isWellFormedToken(token: string): boolean {
  if (!/^svc(?:ut|oa)_[0-9A-Za-z]{49}$/.test(token)) return false
  return tokenChecksum(token.slice(0, -checksumDigits)) === token.slice(-checksumDigits)
}

export function tokenChecksum(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let place = 0; place < checksumDigits; place += 1) {
    digits = base62.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** The text with `svcut_…(masked)` in place of every token of ours, whatever stands around it. */
export function maskTokens(text: string): string {
  const parts = text.split(/(?=svc(?:ut|oa)_)/)
  return parts.map(maskAtStart).join('')
}

function maskAtStart(part: string): string {
  if (!isWellFormedToken(part.slice(0, tokenCharacters))) return part
  return `${part.slice(0, 'svcut_'.length)}…(masked)${part.slice(tokenCharacters)}`
}

/** Bit by bit, for 49 characters: this package runs wherever a client does. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
