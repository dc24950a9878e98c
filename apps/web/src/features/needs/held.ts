import type { Need } from '@svc/contracts/need'
import { needKinds } from '../../data/contracts.values.ts'

/** A need as its row holds it: it may be settled already, and say so. */
export interface Row {
  key: string
  need: Need
  isSettled: boolean
}

/** What of the list is on the page. */
export interface Held {
  rows: readonly Row[]
  /** New ones that would move what is looked at. */
  waiting: readonly Need[]
  /** Keys of what was settled here, until the list has heard of it. */
  own: ReadonlySet<string>
}

/** The rows as they were read last. */
export interface Listed {
  needs: readonly Need[]
  /** Rows after the last one were not read. */
  hasMore: boolean
}

export const nothingHeld: Held = { rows: [], waiting: [], own: new Set() }

/** The same cause that comes again later is another row. */
export function keyOf({ kind, id, since }: Pick<Need, 'kind' | 'id' | 'since'>): string {
  return `${kind}/${id}/${since}`
}

/**
 * The page after the list was read anew. What somebody else has settled stays until its row says that it goes; what was
 * settled here is gone at once. With `isLookedAt` nothing is put before a row that is there.
 */
export function takeListed(held: Held, listed: Listed, isLookedAt: boolean): Held {
  const now = new Map(listed.needs.map((need) => [keyOf(need), need]))
  const own = new Set([...held.own].filter((key) => now.has(key)))
  const rows = held.rows.flatMap((row): Row[] => {
    const need = now.get(row.key)
    if (held.own.has(row.key)) return []
    if (need)
      return [need === row.need && !row.isSettled ? row : { ...row, need, isSettled: false }]
    if (row.isSettled) return [row]
    return isBeyond(row.need, listed) ? [] : [{ ...row, isSettled: true }]
  })
  const shown = new Set(rows.map(({ key }) => key))
  const fresh = listed.needs.filter((need) => !shown.has(keyOf(need)) && !own.has(keyOf(need)))
  const last = rows.at(-1)
  if (!isLookedAt || last === undefined)
    return { rows: inOrder([...rows, ...fresh.map(asRow)]), waiting: [], own }
  const isAfter = (need: Need) => compare(need, last.need) > 0
  return {
    rows: [...rows, ...fresh.filter(isAfter).map(asRow)],
    waiting: fresh.filter((need) => !isAfter(need)),
    own,
  }
}

/** All that waits is put where it belongs. */
export function showWaiting(held: Held): Held {
  return { ...held, rows: inOrder([...held.rows, ...held.waiting.map(asRow)]), waiting: [] }
}

/** It was settled here, or has said for long enough that it was settled elsewhere. */
export function drop(held: Held, key: string): Held {
  const row = held.rows.find((one) => one.key === key)
  const after = {
    ...held,
    rows: held.rows.filter((one) => one.key !== key),
    // the list may not have heard of it yet
    own: row && !row.isSettled ? new Set([...held.own, key]) : held.own,
  }
  return after.rows.length === 0 ? showWaiting(after) : after
}

/** The row that the focus goes to when this one goes. */
export function neighbourOf({ rows }: Pick<Held, 'rows'>, key: string): string | undefined {
  const at = rows.findIndex((row) => row.key === key)
  return (rows[at + 1] ?? rows[at - 1])?.key
}

function asRow(need: Need): Row {
  return { key: keyOf(need), need, isSettled: false }
}

/** It may be there still, after the last row that was read. */
function isBeyond(need: Need, { needs, hasMore }: Listed): boolean {
  const last = needs.at(-1)
  return hasMore && last !== undefined && compare(need, last) > 0
}

function inOrder(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => compare(one.need, other.need))
}

/** As the service lists them: by kind, and what was made first before what was made later. */
function compare(one: Need, other: Need): number {
  const byKind = needKinds.indexOf(one.kind) - needKinds.indexOf(other.kind)
  if (byKind !== 0) return byKind
  return one.id < other.id ? -1 : one.id > other.id ? 1 : 0
}
