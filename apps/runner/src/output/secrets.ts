const secretName = /TOKEN|SECRET|PASSWORD|API_?KEY|CREDENTIAL|PRIVATE|DATABASE_URL/i
const shortestSecret = 8

/** Every spelling of a secret that output may hold, as latin1 text, so that one character is one byte. */
export function secretSpellings(env: NodeJS.ProcessEnv, more: readonly string[] = []): string[] {
  const named = Object.entries(env).flatMap(([name, value]) =>
    secretName.test(name) && value ? [value] : [],
  )
  const secrets = [...named, ...more].filter((value) => Buffer.byteLength(value) >= shortestSecret)
  const spellings = [...new Set(secrets)].flatMap(spellingsOf)
  return [...new Set(spellings)]
    .filter((spelling) => spelling.length >= shortestSecret)
    .toSorted((one, other) => other.length - one.length)
}

function spellingsOf(value: string): string[] {
  const texts = [
    value,
    encodeURIComponent(value.toWellFormed()),
    JSON.stringify(value).slice(1, -1),
  ]
  const bytes = Buffer.from(value)
  const base64 = [0, 1, 2].flatMap((shift) => shiftedBase64(bytes, shift))
  return [...texts.map((text) => Buffer.from(text).toString('latin1')), ...base64]
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
