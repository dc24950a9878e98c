import type { BoardColumn } from '@svc/contracts/board'
import { useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { Text } from '../../ui/text.tsx'
import { phaseWords } from '../../words/states.ts'
import { visible } from '../../words/visible.ts'
import styles from './board.module.css'
import { Cards } from './cards.tsx'
import type { Dragging } from './drag.ts'
import { useScene } from './scene.ts'
import { useHeld } from './use-held.ts'

interface ColumnProps {
  column: BoardColumn
  dragging: Dragging | undefined
}

/** One status of the project with its missions, the newest first. A card that is dropped anywhere on it is moved there. */
export function Column({ column, dragging }: ColumnProps) {
  const { moving, ownDoing, more, isFiltered } = useScene()
  const { status, count, countsMore, cards, nextCursor } = column
  const section = useRef<HTMLElement>(null)
  const { held, release, handlers } = useHeld(section, cards, ownDoing)
  const drop = useRef<(missionId: string) => void>(undefined)
  useEffect(() => {
    drop.current = (missionId) => moving.move(missionId, status)
  })
  useEffect(
    () =>
      section.current && dragging
        ? dragging.column(section.current, (missionId) => drop.current?.(missionId))
        : undefined,
    [dragging],
  )
  const words = phaseWords[status.type]
  const counted = `${count.toLocaleString()}${countsMore ? '+' : ''}`
  return (
    <section
      ref={section}
      className={styles['column']}
      aria-label={`${visible(status.label)}, ${counted}`}
    >
      <div className={styles['top']}>
        <h2 className={styles['heading']} title={words.sentence}>
          <span aria-hidden="true">{words.sign}</span>
          <span className={styles['label']}>
            <Text>{status.label}</Text>
          </span>
          <span className={styles['count']}>{counted}</span>
        </h2>
        {held.waiting > 0 && (
          <Button className={styles['waiting']} onClick={release}>
            {held.waiting} new
          </Button>
        )}
      </div>
      <Cards
        label={status.label}
        cards={held.cards}
        total={countsMore || isFiltered ? -1 : count}
        dragging={dragging}
        handlers={handlers}
      >
        {cards.length === 0 && nextCursor === undefined && (
          <p className={styles['empty']}>No missions.</p>
        )}
        {nextCursor !== undefined && (
          <p className={styles['more']}>
            {cards.length.toLocaleString()} of {counted}{' '}
            <Button onClick={() => more(status.id)}>More</Button>
          </p>
        )}
      </Cards>
    </section>
  )
}
