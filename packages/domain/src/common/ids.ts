import { createHash, randomInt } from 'node:crypto'
import { v7 } from 'uuid'
import type { RawBuilder } from 'kysely'

/** Crockford's base32 in lower case. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * A UUID of version 7, ordered by this process's clock: good for sorting lists, but not for deciding which of two rows is
 * newer, since processes have different clocks.
 */
export function newId(): string {
  return v7()
}

/** What one row gets for another, once: the same id whenever it is made, and of the time of `id`. */
export function idFor(id: string, other: string): string {
  const hash = createHash('sha256').update(`${id} ${other}`).digest('hex')
  // time and version of the one, the variant, and of the hash all else
  return `${id.slice(0, 15)}${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`
}

/** The display key of an objective; a longer one is drawn when a mission has the first already. */
export function newObjectiveKey(taken: ReadonlySet<string>): string {
  for (const length of [4, 4, 4, 5]) {
    const key = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
    if (!taken.has(key)) return key
  }
  return newObjectiveKey(taken)
}

/** Below every id that was made in the last so many days: the first 48 bits of one are its milliseconds. */
export function oldestId(now: Date, days: number): string {
  const hex = (now.getTime() - days * 86_400_000).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** Known, or found by this expression in the statement that asks for it. */
export type Id = string | RawBuilder<string>

/** What belongs to a row is found by as much of it. */
export interface Ref {
  workspace_id: string
  id: Id
}
