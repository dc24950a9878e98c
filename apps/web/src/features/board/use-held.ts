import type { BoardCard } from '@svc/contracts/board'
import { type PointerEvent, type RefObject, useLayoutEffect, useState } from 'react'
import { type Held, allCards, holdCards } from './hold.ts'

interface Hold {
  held: Held
  /** Shows what waits. */
  release: () => void
  /** Of the element whose cards must not move under a pointer or the focus. */
  handlers: {
    onPointerEnter: (event: PointerEvent) => void
    onPointerLeave: () => void
    onFocus: () => void
    onBlur: () => void
  }
}

interface Kept {
  cards: readonly BoardCard[]
  ownDoing: string
}

/** The cards of a column, kept in their places while somebody is about to do something with one of them. */
export function useHeld(
  list: RefObject<HTMLElement | null>,
  now: readonly BoardCard[],
  ownDoing: string,
): Hold {
  const [pointer, setPointer] = useState(false)
  const [focus, setFocus] = useState(false)
  const [kept, keep] = useState<Kept>()
  useLayoutEffect(() => {
    // a card that goes to another column takes the focus along, and nothing says that it has left this one
    if (focus && hasLeft(list.current)) setFocus(false)
  }, [focus, list, now, ownDoing])
  const isHeld = pointer || focus
  if (isHeld && (kept === undefined || kept.ownDoing !== ownDoing)) keep({ cards: now, ownDoing })
  if (!isHeld && kept !== undefined) keep(undefined)
  return {
    held: isHeld && kept ? holdCards(kept.cards, now) : allCards(now),
    release: () => keep({ cards: now, ownDoing }),
    handlers: {
      // a finger points at nothing before it does something
      onPointerEnter: ({ pointerType }) => setPointer(pointerType === 'mouse'),
      onPointerLeave: () => setPointer(false),
      onFocus: () => setFocus(true),
      onBlur: () => setFocus(false),
    },
  }
}

/** Menus of its cards are elsewhere in the document, and hold it as well. */
function hasLeft(list: HTMLElement | null): boolean {
  const active = document.activeElement
  if (active === document.body) return true
  return active?.closest('[data-card]') != null && list?.contains(active) !== true
}
