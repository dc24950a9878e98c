export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const checksumDigits = 6

/** Each has a prefix, so many base62 digits, and 6 digits of checksum over all before. */
export const tokenForms = {
  /** Made by a person: 32 random bytes. */
  minted: { prefix: 'svcut_', digits: 43 },
  oauth: { prefix: 'svcoa_', digits: 43 },
  /** The token that an agent gets for its run: 52 bytes, and their MAC of 32. */
  run: { prefix: 'svcrt_', digits: 113 },
} as const
export type TokenForm = keyof typeof tokenForms

/** What a token is of, where it has its form whole. */
export function formOfToken(token: string): TokenForm | undefined {
  const form = findForm(token)
  if (form === undefined || token.length !== charactersOf(form)) return undefined
  if (!/^svc.._[0-9A-Za-z]+$/.test(token)) return undefined
  const isWhole = tokenChecksum(token.slice(0, -checksumDigits)) === token.slice(-checksumDigits)
  return isWhole ? form : undefined
}

function findForm(text: string): TokenForm | undefined {
  // the object is written above, so these are all its keys
  const forms = Object.keys(tokenForms) as TokenForm[]
  return forms.find((form) => text.startsWith(tokenForms[form].prefix))
}

function charactersOf(form: TokenForm): number {
  const { prefix, digits } = tokenForms[form]
  return prefix.length + digits + checksumDigits
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
  const parts = text.split(/(?=svc(?:ut|oa|rt)_)/)
  return parts.map(maskAtStart).join('')
}

function maskAtStart(part: string): string {
  const form = findForm(part)
  if (form === undefined) return part
  const end = charactersOf(form)
  if (formOfToken(part.slice(0, end)) === undefined) return part
  return `${tokenForms[form].prefix}…(masked)${part.slice(end)}`
}

/** Bit by bit, for some dozens of characters: this package runs wherever a client does. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
