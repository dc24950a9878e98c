import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'
import { visible } from '../../words/visible.ts'
import styles from './board.module.css'
import { Card } from './card.tsx'
import type { Dragging } from './drag.ts'
import type { HeldCard } from './hold.ts'
import { useScene } from './scene.ts'
import type { useHeld } from './use-held.ts'

interface CardsProps {
  label: string
  cards: readonly HeldCard[]
  /** How many there are of which these are some; -1 where nobody has counted them. */
  total: number
  dragging: Dragging | undefined
  handlers: ReturnType<typeof useHeld>['handlers']
  /** Below the last one. */
  children: ReactNode
}

const cardHeight = 92
const gap = 8

/** Of the cards of a column those that can be seen are in the document, and the one that has the focus. */
export function Cards({ label, cards, total, dragging, handlers, children }: CardsProps) {
  const { current } = useScene()
  const scroller = useRef<HTMLDivElement>(null)
  const stop = cards.findIndex(({ card, isGone }) => !isGone && card.id === current)
  const virtual = useVirtualizer({
    count: cards.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => cards[index]?.card.id ?? index,
    estimateSize: () => cardHeight,
    gap,
    overscan: 3,
    rangeExtractor: (range) => {
      const seen = defaultRangeExtractor(range)
      const isSeen = stop === -1 || seen.includes(stop)
      return isSeen ? seen : [...seen, stop].toSorted((one, other) => one - other)
    },
  })
  useEffect(() => {
    if (stop !== -1) virtual.scrollToIndex(stop, { align: 'auto' })
    // where the card with the focus is; not whenever something is measured
    // oxlint-disable-next-line react/exhaustive-deps
  }, [stop])
  const items = virtual.getVirtualItems()
  const firstStop = stop === -1 ? items[0]?.index : stop
  return (
    <div ref={scroller} className={styles['scroller']}>
      <ul
        className={styles['cards']}
        style={{ height: virtual.getTotalSize() }}
        aria-label={`Missions of ${visible(label)}`}
        {...handlers}
      >
        {items.map(({ index, key, start }) => {
          const held = cards[index]
          if (held === undefined) return null
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={styles['placed']}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={total}
              aria-posinset={index + 1}
            >
              <Card
                card={held.card}
                isGone={held.isGone}
                isStop={index === firstStop}
                dragging={dragging}
              />
            </li>
          )
        })}
      </ul>
      {children}
    </div>
  )
}
