import type { KeyboardEvent } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import { useKeys } from '../../shell/use-keys.ts'
import { boardKeys } from './keys.ts'
import type { Scene } from './scene.ts'
import { isArrow, neighbour, statusBeside } from './walk.ts'

function focused(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-card]')?.dataset['card']
}

/** Registers the keys of the page. Answers what the board does with arrows, which also act where single keys are off. */
export function useBoardKeys(
  { board, open, current, focusCard, moving }: Scene,
  isCovered: boolean,
): (event: KeyboardEvent) => void {
  const { rights } = useWorkspace()
  useKeys(
    boardKeys({
      mayCall: rights.mayCall,
      focused: () => (isCovered ? undefined : focused()),
      begin: () => {
        const first = board.columns.find(({ cards }) => cards.length > 0)?.cards[0]?.id
        const to = current ?? first
        if (isCovered || to === undefined) return false
        return focusCard(to)
      },
      create: () => {
        if (!isCovered) open({ what: 'create' })
      },
      filter: () => document.querySelector<HTMLElement>('[data-action="filter"]')?.focus(),
      move: (mission) => open({ what: 'move', mission }),
      edit: (mission) => open({ what: 'edit', mission }),
      launch: (mission) => open({ what: 'launch', mission }),
      remove: (mission) => open({ what: 'delete', mission }),
    }),
  )
  return (event) => {
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event
    const from = focused()
    if (from === undefined || !isArrow(key) || altKey || ctrlKey || metaKey) return
    // an open menu of a card has arrows of its own
    if (event.target instanceof Element && event.target.closest('[role="menu"]')) return
    event.preventDefault()
    if (!shiftKey) {
      const next = neighbour(board, from, key)
      if (next !== undefined) focusCard(next)
      return
    }
    if (key === 'ArrowUp' || key === 'ArrowDown' || !rights.mayCall('moveMission')) return
    const beside = statusBeside(board, from, key === 'ArrowRight' ? 1 : -1)
    const column = board.columns.find(({ status }) => status.id === beside)
    if (column) moving.move(from, column.status)
  }
}
