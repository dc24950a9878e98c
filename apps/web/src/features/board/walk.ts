import { type Board, placeOf } from './board.ts'

export type Arrow = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight'

export function isArrow(key: string): key is Arrow {
  return ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'].includes(key)
}

/** The card that an arrow leads to: in the same column, or at the same height of the next one that has any. */
export function neighbour(board: Board, from: string, arrow: Arrow): string | undefined {
  const place = placeOf(board, from)
  if (place === undefined) return undefined
  if (arrow === 'ArrowUp' || arrow === 'ArrowDown') {
    const next = place.index + (arrow === 'ArrowUp' ? -1 : 1)
    return next < 0 ? undefined : place.column.cards[next]?.id
  }
  const at = board.columns.indexOf(place.column)
  const others =
    arrow === 'ArrowRight' ? board.columns.slice(at + 1) : board.columns.slice(0, at).toReversed()
  const column = others.find(({ cards }) => cards.length > 0)
  return column?.cards[Math.min(place.index, column.cards.length - 1)]?.id
}

/** The status of the column next to that of a card. */
export function statusBeside(board: Board, from: string, step: 1 | -1): string | undefined {
  const place = placeOf(board, from)
  if (place === undefined) return undefined
  const at = board.columns.indexOf(place.column)
  return board.columns[at + step]?.status.id
}
