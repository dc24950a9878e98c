import type { BoardColumn } from '@svc/contracts/board'
import type { RouteRequest } from '@svc/contracts/rest'
import { useState } from 'react'
import { limits } from '../../data/contracts.values.ts'
import type { Read } from '../../data/live.ts'
import { type Gathered, useGathered } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import type { Board } from './board.ts'

type Request = RouteRequest<'getBoard'>

/**
 * The columns of which somebody wants to see more than their newest missions. Each is read anew as a whole, page after page:
 * pages that are read apart would lose a mission between them whenever one comes or goes.
 */
export function useFurther(
  read: Read<'getBoard'>,
  request: Request,
  board: Board | undefined,
): { board: Board | undefined; more: (statusId: string) => void } {
  const { service } = useWorkspace()
  const [wanted, setWanted] = useState<Readonly<Record<string, number>>>({})
  // where so many pages are not there yet, those before stay
  const parts = Object.entries(wanted).flatMap(([statusId, pages]) =>
    [pages, pages - 1]
      .filter((count) => count > 0)
      .map((count): Gathered<'getBoard'> & { pages: number } => {
        const ofColumn = { ...request, statusId, limit: limits.cardsMax }
        return {
          request: ofColumn,
          part: count,
          pages: count,
          gather: (signal) =>
            gather(ofColumn, count, (asked) => service.call('getBoard', asked, { signal })),
        }
      }),
  )
  const found = useGathered(read, parts).flatMap((part) => part?.columns ?? [])
  return {
    board: board && {
      ...board,
      columns: board.columns.map((column) => ({ ...column, ...longest(column, found) })),
    },
    more: (statusId) =>
      setWanted((before) => ({ ...before, [statusId]: (before[statusId] ?? 0) + 1 })),
  }
}

/** How many there are, the whole board knows better: it is read more often. */
function longest(
  column: BoardColumn,
  found: readonly BoardColumn[],
): Pick<BoardColumn, 'cards' | 'nextCursor'> {
  const [further] = found
    .filter(({ status }) => status.id === column.status.id)
    .toSorted((one, other) => other.cards.length - one.cards.length)
  return further && further.cards.length >= column.cards.length
    ? { cards: further.cards, nextCursor: further.nextCursor }
    : column
}

async function gather(
  request: Request,
  pages: number,
  ask: (request: Request) => Promise<Board>,
): Promise<Board> {
  const first = await ask(request)
  let [column] = first.columns
  for (let page = 1; page < pages && column?.nextCursor !== undefined; page += 1) {
    const next = await ask({ ...request, cursor: column.nextCursor })
    const [following] = next.columns
    if (following === undefined) break
    column = { ...following, cards: [...column.cards, ...following.cards] }
  }
  return { ...first, columns: column ? [column] : [] }
}
