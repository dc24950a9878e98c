import type { Tx } from '@svc/db/database'

/** Whoever locks several takes them in this order, before the first write: two that do so never wait in a circle. */
export const lockOrder = ['mission', 'objective', 'request', 'session'] as const
type LockKind = (typeof lockOrder)[number]
const lastTaken = new WeakMap<object, number>()
const taken = new WeakMap<object, Set<LockKind>>()

export function takeInOrder(tx: Tx, kind: LockKind): void {
  const rank = lockOrder.indexOf(kind)
  const before = lastTaken.get(tx) ?? 0
  if (rank < before) {
    throw new Error(
      `a ${kind} was locked after a ${lockOrder[before]}; the order is ${lockOrder.join(', ')}`,
    )
  }
  lastTaken.set(tx, rank)
  taken.set(tx, (taken.get(tx) ?? new Set()).add(kind))
}

export function requireLocked(tx: Tx, kind: LockKind): void {
  if (!taken.get(tx)?.has(kind)) throw new Error(`no ${kind} is locked in this transaction`)
}
