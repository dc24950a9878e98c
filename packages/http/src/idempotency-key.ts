import { createHash } from 'node:crypto'
import type { Input } from './parse-input.ts'
import { validationFailed } from './validation.ts'

/** The caller's own name for one call; the same name with another body is refused. Decision 15. */
export interface IdempotencyKey {
  route: string
  key: string
  /** SHA-256 of the parsed input in canonical form. */
  bodyHash: Buffer
}

export function readIdempotencyKey(
  route: string,
  header: string | undefined,
  input: Input,
): IdempotencyKey | undefined {
  if (header === undefined) return undefined
  if (!/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw validationFailed([
      { path: 'Idempotency-Key', message: 'use 1 to 255 visible ASCII characters' },
    ])
  }
  return { route, key: header, bodyHash: createHash('sha256').update(canonical(input)).digest() }
}

/** JSON whose keys are sorted, so that equal inputs are equal texts. */
function canonical(input: Input): string {
  return JSON.stringify(input, (_key, value: unknown) => {
    if (value instanceof Uint8Array) return createHash('sha256').update(value).digest('hex')
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
