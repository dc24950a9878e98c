import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useMouse } from '../../ui/use-mouse.ts'
import type { Sorting } from './drag.ts'
import { isSameOrder, placed, stepped } from './order.ts'

interface OrderParts {
  /** The ids of all rows as they are drawn; each row has its own as `data-sorted`. */
  rows: readonly string[]
  /** Those whose order is one's own to say. The others keep their places. */
  movable: readonly string[]
  /** One of those was moved, which makes this order of them. */
  onOrder: (ids: readonly string[], moved: string) => void
}

interface Order {
  list: RefObject<HTMLOListElement | null>
  order: (ids: readonly string[], moved: string) => void
  step: (id: string, by: 1 | -1) => void
}

/** A list that is put in order by dragging, by keys and by buttons; a row that moves keeps the focus. */
export function useOrder({ rows, movable, onOrder }: OrderParts): Order {
  const list = useRef<HTMLOListElement>(null)
  const followed = useRef<string>(undefined)
  const order: Order['order'] = (ids, moved) => {
    if (isSameOrder(ids, movable)) return
    followed.current = document.activeElement?.closest('[data-sorted]') ? moved : undefined
    onOrder(ids, moved)
  }
  const drawn = rows.join()
  useLayoutEffect(() => {
    const id = followed.current
    followed.current = undefined
    // a row that moves loses the focus
    if (id === undefined || list.current?.contains(document.activeElement)) return
    const row = list.current?.querySelector(`[data-sorted="${id}"]`)
    row?.querySelector<HTMLElement>('a[href], button')?.focus()
  }, [drawn])

  const dropped = useRef(order)
  useEffect(() => {
    dropped.current = order
  })
  const sorting = useSorting(movable.length > 1)
  useEffect(
    () =>
      list.current && sorting
        ? sorting(list.current, movable, (id, edge, target) =>
            dropped.current(placed(movable, id, edge, target), id),
          )
        : undefined,
    // the rows are those of the drawing
    // oxlint-disable-next-line react/exhaustive-deps
    [sorting, drawn, movable.join()],
  )
  return { list, order, step: (id, by) => order(stepped(movable, id, by), id) }
}

/** Dragging is loaded when there is something to drag, and a mouse that does it: on touch a drag is a scroll. */
function useSorting(hasSome: boolean): Sorting | undefined {
  const [sorting, setSorting] = useState<Sorting>()
  const isWanted = useMouse(hasSome)
  useEffect(() => {
    if (!isWanted) return
    void import('./drag.ts').then(
      ({ makeSortable }) => setSorting(() => makeSortable),
      // keys and buttons do the same
      () => undefined,
    )
  }, [isWanted])
  return isWanted ? sorting : undefined
}
