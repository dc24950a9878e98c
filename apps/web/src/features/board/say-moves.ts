export interface SeenMove {
  displayId: string
  /** The label of the column. */
  to: string
}

const named = 3

/** What others have moved since it was said last, in one sentence: of many only the first by name. */
export function sayMoves(moves: readonly SeenMove[]): string {
  // of what was moved twice, where it is now
  const last = [...new Map(moves.map((move) => [move.displayId, move])).values()]
  const said = last.slice(0, named).map(({ displayId, to }) => `${displayId} to ${to}`)
  const more = last.length - said.length
  return `Moved by others: ${[...said, ...(more > 0 ? [`${more} more`] : [])].join(', ')}`
}
