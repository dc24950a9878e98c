import type { BoardCard, BoardColumn } from '@svc/contracts/board'
import type { Mission } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import type { RouteOutput } from '@svc/contracts/rest'

export type Board = RouteOutput<'getBoard'>
export type Change = (board: Board) => Board

export interface Place {
  card: BoardCard
  column: BoardColumn
  /** Among the cards of its column that are known. */
  index: number
}

export function placeOf({ columns }: Board, missionId: string): Place | undefined {
  for (const column of columns) {
    const index = column.cards.findIndex(({ id }) => id === missionId)
    const card = column.cards[index]
    if (card) return { card, column, index }
  }
  return undefined
}

/** Of a mission of which nothing has begun. */
export function cardOf(mission: Mission, objectives: readonly Objective[]): BoardCard {
  const { id, displayId, title, priority, revision, createdAt, updatedAt } = mission
  const total = objectives.filter(({ instruction }) => instruction.trim() !== '').length
  return {
    id,
    displayId,
    title,
    priority,
    revision,
    createdAt,
    updatedAt,
    progress: { complete: 0, total },
    badge: null,
  }
}

/** The card in that column and in no other. Columns have their newest missions first, and ids grow with time. */
export function withMoved(card: BoardCard, statusId: string | undefined): Change {
  return (board) => ({
    ...board,
    columns: board.columns.map((column) =>
      column.status.id === statusId ? putIn(column, card) : takeOut(column, card),
    ),
  })
}

/** What is set of the card, wherever it stands. */
export function withCard(id: string, set: Partial<BoardCard>): Change {
  return (board) => ({
    ...board,
    columns: board.columns.map((column) => ({
      ...column,
      cards: column.cards.map((card) => (card.id === id ? { ...card, ...set } : card)),
    })),
  })
}

export function withoutCard(card: BoardCard): Change {
  return withMoved(card, undefined)
}

function putIn(column: BoardColumn, card: BoardCard): BoardColumn {
  const isThere = column.cards.some(({ id }) => id === card.id)
  const others = column.cards.filter(({ id }) => id !== card.id)
  // older than what is known of the column
  const isBeyond = column.nextCursor !== undefined && card.id < column.nextCursor
  const at = others.findIndex(({ id }) => id < card.id)
  const cards = isBeyond ? others : others.toSpliced(at === -1 ? others.length : at, 0, card)
  return { ...column, cards, count: counted(column, isThere ? 0 : 1) }
}

function takeOut(column: BoardColumn, card: BoardCard): BoardColumn {
  const cards = column.cards.filter(({ id }) => id !== card.id)
  if (cards.length === column.cards.length) return column
  return { ...column, cards, count: counted(column, -1) }
}

function counted({ count, countsMore }: BoardColumn, by: number): number {
  return countsMore ? count : count + by
}
