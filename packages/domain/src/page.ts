import { isUuid } from '@svc/contracts/ids'
import { validationFailed } from './errors.ts'

/** One row more than asked for tells that there is a next page; its cursor is the last row given. */
export function pageOf<T>(
  rows: readonly T[],
  limit: number,
  cursorOf: (row: T) => string,
): { items: T[]; nextCursor: { nextCursor?: string } } {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const more = rows.length > limit && last !== undefined
  return { items, nextCursor: more ? { nextCursor: cursorOf(last) } : {} }
}

/** The id that a page goes on from; a cursor that no list gave out is refused. */
export function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined || isUuid(cursor)) return cursor
  throw validationFailed('cursor', 'use the nextCursor of the page before')
}
