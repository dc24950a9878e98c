import { randomBytes } from 'node:crypto'
import { type TokenForm, base62, tokenChecksum, tokenForms } from '@svc/contracts/token-form'

/** `bytes`: 32 of them that nobody can guess. */
export function newTokenSecret(
  form: Exclude<TokenForm, 'run'>,
  bytes: Buffer = randomBytes(32),
): string {
  return tokenOf(form, bytes)
}

export function tokenOf(form: TokenForm, bytes: Buffer): string {
  const { prefix, digits } = tokenForms[form]
  const body = prefix + digitsOf(bytes, digits)
  return body + tokenChecksum(body)
}

/** What a token of this form was made of, where that were so many bytes. */
export function bytesOfToken(form: TokenForm, token: string, length: number): Buffer | undefined {
  const { prefix, digits } = tokenForms[form]
  const written = token.slice(prefix.length, prefix.length + digits).split('')
  const whole = written.reduce((sum, digit) => sum * 62n + BigInt(base62.indexOf(digit)), 0n)
  const hex = whole.toString(16).padStart(2 * length, '0')
  return hex.length === 2 * length ? Buffer.from(hex, 'hex') : undefined
}

function digitsOf(bytes: Buffer, count: number): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`)
  let digits = ''
  for (let written = 0; written < count; written += 1) {
    digits = base62.charAt(Number(rest % 62n)) + digits
    rest /= 62n
  }
  return digits
}
