import type { AuditEntry } from '@svc/contracts/audit'
import { type RefObject, useLayoutEffect, useState } from 'react'

interface Still {
  /** What is shown. */
  entries: readonly AuditEntry[]
  /** How many newer ones wait. */
  waiting: number
  showNewest: () => void
}

/** What comes on top waits while somebody reads: nothing moves that is pointed at, focused or scrolled to. */
export function useStill(
  newest: readonly AuditEntry[],
  list: RefObject<HTMLElement | null>,
): Still {
  const [shown, show] = useState(newest)
  useLayoutEffect(() => {
    if (shown !== newest && !isUsed(list.current)) show(newest)
  }, [newest, shown, list])
  const [first] = shown
  const waiting = first ? newest.findIndex(({ id }) => id === first.id) : 0
  return {
    entries: shown,
    // so many that none of them is on this page any more
    waiting: waiting === -1 ? newest.length : waiting,
    showNewest: () => show(newest),
  }
}

function isUsed(list: HTMLElement | null): boolean {
  if (list === null) return false
  // on a touch screen what was tapped last counts as hovered
  const isPointedAt = matchMedia('(hover: hover)').matches && list.matches(':hover')
  return (
    isPointedAt || list.contains(document.activeElement) || list.getBoundingClientRect().top < 0
  )
}
