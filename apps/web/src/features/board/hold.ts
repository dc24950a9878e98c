import type { BoardCard } from '@svc/contracts/board'

/** A card as a column shows it. */
export interface HeldCard {
  card: BoardCard
  /** It is in this column no more. */
  isGone: boolean
}

export interface Held {
  cards: HeldCard[]
  /** So many wait to be shown. */
  waiting: number
}

/**
 * A column under a pointer or the focus keeps its cards where they are, so that nobody takes hold of another one than they
 * meant: what came waits, and what went stays as a shade of itself. What is said on a card is always that of now.
 */
export function holdCards(shown: readonly BoardCard[], now: readonly BoardCard[]): Held {
  const byId = new Map(now.map((card) => [card.id, card]))
  const held = new Set(shown.map(({ id }) => id))
  const last = shown.at(-1)
  // what is older than all of them comes below, and moves none
  const below = now.filter(({ id }) => !held.has(id) && (last === undefined || id < last.id))
  return {
    cards: [
      ...shown.map((card) => ({ card: byId.get(card.id) ?? card, isGone: !byId.has(card.id) })),
      ...below.map((card) => ({ card, isGone: false })),
    ],
    waiting: now.length - below.length - shown.filter(({ id }) => byId.has(id)).length,
  }
}

export function allCards(now: readonly BoardCard[]): Held {
  return { cards: now.map((card) => ({ card, isGone: false })), waiting: 0 }
}
