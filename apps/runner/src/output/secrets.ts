/** What a variable is called that holds a secret: a word anywhere in its name, or one that the name ends with. */
const secretName =
  /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|CREDENTIAL|PRIVATE|(?:^|_)(?:PASS|PWD|PAT|KEYS?|AUTH|DSN|WEBHOOK)(?:_URL)?(?:_?(?:\d+|B(?:ASE)?64))?$/i
/** Addresses of services that commonly hold a password. */
const ofService =
  /(?:^|_)(?:DATABASE|DB|REDIS|MONGO(?:DB)?|POSTGRES(?:QL)?|PG|MYSQL|AMQP|RABBITMQ|BROKER|CACHE)_UR[IL]$/i
/** The folder that a shell stands in. */
const folder = /^(?:OLD)?PWD$/
const shortestSecret = 8

/** Every spelling of a secret that output may hold, as latin1 text, so that one character is one byte. */
export function secretSpellings(env: NodeJS.ProcessEnv, more: readonly string[] = []): string[] {
  const named = Object.entries(env).flatMap(([name, value]) =>
    value ? [...(isSecretName(name) ? [value] : []), ...secretsOfUrl(value)] : [],
  )
  const secrets = [...named, ...more].filter((value) => Buffer.byteLength(value) >= shortestSecret)
  const spellings = [...new Set(secrets)].flatMap(spellingsOf)
  return [...new Set(spellings)]
    .filter((spelling) => spelling.length >= shortestSecret)
    .toSorted((one, other) => other.length - one.length)
}

function isSecretName(name: string): boolean {
  return !folder.test(name) && (secretName.test(name) || ofService.test(name))
}

/** Who an address lets in: a password, or a name without one, which then is a token. */
function secretsOfUrl(value: string): string[] {
  if (!value.includes('@') || !URL.canParse(value)) return []
  const { username, password } = new URL(value)
  const secret = password || username
  return [secret, decoded(secret)].filter((text) => text !== '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function spellingsOf(value: string): string[] {
  const texts = [
    value,
    encodeURIComponent(value.toWellFormed()),
    JSON.stringify(value).slice(1, -1),
  ]
  const bytes = Buffer.from(value)
  const base64 = [0, 1, 2].flatMap((shift) => shiftedBase64(bytes, shift))
  const whole = [...texts.map((text) => Buffer.from(text).toString('latin1')), ...base64]
  return [...whole, ...whole.flatMap(folded)]
}

/** The widths at which programs wrap long texts: openssl, base64, and a terminal of 80 columns. */
const widths = [64, 76, 80]
/**
 * How many lines of one secret are looked for. Where a variable holds a whole file, its beginning is enough to find it.
 */
const mostLines = 10
const shortestLine = 20

function folded(text: string): string[] {
  return widths
    .filter((width) => text.length > width)
    .flatMap((width) => text.match(new RegExp(`[^]{1,${width}}`, 'g'))?.slice(0, mostLines) ?? [])
    .filter((line) => line.length >= shortestLine)
}

/** The characters that the secret alone decides when `shift` bytes stand before it. */
function shiftedBase64(bytes: Buffer, shift: number): string[] {
  const from = Math.ceil((shift * 8) / 6)
  const to = Math.floor(((shift + bytes.length) * 8) / 6)
  const text = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .slice(from, to)
  return [text, text.replaceAll('+', '-').replaceAll('/', '_')]
}
