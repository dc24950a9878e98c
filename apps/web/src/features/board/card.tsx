import type { BoardCard } from '@svc/contracts/board'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { Link } from '../../shell/link.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Badge } from '../../ui/badge.tsx'
import { Hidden } from '../../ui/hidden.tsx'
import { Text } from '../../ui/text.tsx'
import { Age } from '../../ui/time.tsx'
import { priorityWords } from '../../words/mission.ts'
import { badgeWords } from '../../words/states.ts'
import { visible } from '../../words/visible.ts'
import styles from './card.module.css'
import { CardMenu } from './card-menu.tsx'
import type { Dragging } from './drag.ts'
import { useScene } from './scene.ts'

interface CardProps {
  card: BoardCard
  /** It stands elsewhere by now, and its shade is here as long as somebody points at it. */
  isGone: boolean
  /** The Tab key leads to it. */
  isStop: boolean
  dragging: Dragging | undefined
}

/** A mission on its board: a link to its page, and what may be done with it from here. */
export function Card({ card, isGone, isStop, dragging }: CardProps) {
  const { isFollowed, enterCard, leaveCard } = useScene()
  const element = useRef<HTMLDivElement>(null)
  const { id, displayId, title } = card
  useLayoutEffect(() => {
    if (isGone || !isFollowed(id) || element.current?.contains(document.activeElement)) return
    element.current?.querySelector('a')?.focus()
  })
  useEffect(
    () => (element.current && dragging && !isGone ? dragging.card(element.current, id) : undefined),
    [dragging, id, isGone],
  )
  const tabIndex = isStop ? 0 : -1
  return (
    <div
      ref={element}
      className={styles['card']}
      data-card={isGone ? undefined : id}
      data-gone={isGone || undefined}
      // a menu of it is another place, where the focus is to stay
      onFocus={({ currentTarget, target }) => currentTarget.contains(target) && enterCard(id)}
      onBlur={leaveCard}
    >
      <div className={styles['top']}>
        <Link
          to={pathTo('mission', { mission: displayId })}
          className={styles['link']}
          draggable={false}
          tabIndex={tabIndex}
        >
          <span className={styles['id']}>{isGone ? 'Not here any more' : displayId}</span>{' '}
          <Text>{title}</Text>
        </Link>
        {!isGone && <CardMenu card={card} tabIndex={tabIndex} />}
      </div>
      <Facts of={card} />
    </div>
  )
}

function Facts({ of: { priority, progress, badge } }: { of: BoardCard }) {
  const { sign, word } = priorityWords[priority]
  return (
    <>
      <p className={styles['facts']}>
        {priority !== 'normal' && (
          <span>
            <span aria-hidden="true">{sign}</span> {word}
          </span>
        )}
        {progress.total > 0 && (
          <span>
            {progress.complete}/{progress.total}
            <Hidden> objectives complete</Hidden>
          </span>
        )}
        {badge && (
          <span className={styles['badge']}>
            <Badge of={badgeWords[badge.kind]} /> <Age since={badge.since} />
            {badge.percent !== null && <> · {badge.percent} %</>}
            {badge.agent !== null && (
              <>
                {' '}
                · <Text>{badge.agent}</Text>
              </>
            )}
          </span>
        )}
      </p>
      {badge !== null && badge.waitsOn !== null && (
        <p className={styles['waits']} title={visible(badge.waitsOn)}>
          <Text>{badge.waitsOn}</Text>
        </p>
      )}
    </>
  )
}
