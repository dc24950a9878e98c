import type { BoardCard, BoardColumn } from '@svc/contracts/board'
import type { RouteOutput } from '@svc/contracts/rest'
import type { StatusType } from '@svc/contracts/states'

/** UUIDs that are ordered by their number. */
export const uuid = (number: number) =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

export const projectId = uuid(9_000)

export function cardOf(number: number, more: Partial<BoardCard> = {}): BoardCard {
  return {
    id: uuid(number),
    displayId: `web:${number}`,
    title: `Mission ${number}`,
    priority: 'normal',
    revision: 1,
    createdAt: '2026-11-26T08:00:00.000Z',
    updatedAt: '2026-11-26T08:00:00.000Z',
    progress: { complete: 0, total: 1 },
    badge: null,
    ...more,
  }
}

/** A column of each type that is named, with these cards. */
export function boardOf(
  cards: Partial<Record<StatusType, readonly (number | BoardCard)[]>>,
  more: Partial<BoardColumn> = {},
): RouteOutput<'getBoard'> {
  // the keys of an object literal are its key type; Object.entries only says string
  const columns = Object.entries(cards) as [StatusType, readonly (number | BoardCard)[]][]
  return {
    project: { id: projectId, slug: 'web', name: 'Web' },
    columns: columns.map(([type, all], at) => ({
      status: { id: uuid(8_000 + at), type, label: `is ${type}` },
      count: all.length,
      countsMore: false,
      cards: all.map((card) => (typeof card === 'number' ? cardOf(card) : card)),
      ...more,
    })),
  }
}

/** What stands where, and how many are said to. */
export function shownOf({ columns }: RouteOutput<'getBoard'>): string[] {
  return columns.map(
    ({ status, cards, count }) =>
      `${status.type} ${count}: ${cards.map(({ displayId }) => displayId.slice(4)).join(' ')}`,
  )
}
