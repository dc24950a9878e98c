import { inOrder, isSameOrder } from './order.ts'

/** A thing on its way to another place among others, all of them by their ids. */
export interface Move {
  moved: string
  /** The order that it was moved in, and the one that comes of it. */
  before: readonly string[]
  wanted: readonly string[]
}

/**
 * What a move comes to where another order stands by now. `resend`: what is left stands as it did, so that the move is still
 * what was meant; `ordered`: somebody else has ordered it otherwise; `done`: somebody else has just made the same move.
 */
export type Verdict = 'gone' | 'done' | 'resend' | 'ordered'

export function judgeOrder({ moved, before, wanted }: Move, current: readonly string[]): Verdict {
  if (!current.includes(moved)) return 'gone'
  if (isSameOrder(current, among(wanted, current))) return 'done'
  const isAsBefore = isSameOrder(among(current, before), among(before, current))
  return isAsBefore ? 'resend' : 'ordered'
}

/** The same move among these: behind what it was to be behind. */
export function movedAmong({ moved, wanted }: Move, others: readonly string[]): string[] {
  const rest = others.filter((id) => id !== moved)
  const behind = wanted.slice(0, wanted.indexOf(moved)).findLast((id) => rest.includes(id))
  const at = behind === undefined ? 0 : rest.indexOf(behind) + 1
  return rest.toSpliced(at, 0, moved)
}

/** All of these, with those that are named in that order; the others keep their places. */
export function withOrder(all: readonly string[], ids: readonly string[]): string[] {
  return inOrder(
    all.map((id) => ({ id })),
    ids,
  ).map(({ id }) => id)
}

const among = (ids: readonly string[], others: readonly string[]) =>
  ids.filter((id) => others.includes(id))
