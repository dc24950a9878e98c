import { createHash } from 'node:crypto'
import { IdempotencyKeyText } from '@svc/contracts/idempotency-key'
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
  const { error } = IdempotencyKeyText.safeParse(header)
  if (error) {
    throw validationFailed(
      error.issues.map(({ message }) => ({ path: 'Idempotency-Key', message })),
    )
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
