import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Problem } from '../../../shell/problem.tsx'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/select.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { type EventGroup, eventGroups, typesOfGroup } from '../../../words/events.ts'
import type { Overview } from '../patch-overview.ts'
import { shortId } from '../wanted.ts'
import { groupLines } from './group.ts'
import { countWaiting, holdsNewest, linesOf } from './held.ts'
import { namesOf } from './names.ts'
import { TimelineRows } from './rows.tsx'
import styles from './timeline.module.css'
import { useTimeline } from './use-timeline.ts'

/** So far from its beginning a history is taken to be at it. */
const nearPixels = 12

/** What happened to a mission, newest first, as it happens. */
export function Timeline({ of }: { of: Overview }) {
  const { mission, objectives, executionRequests, workers } = of
  const [group, setGroup] = useState<EventGroup | ''>('')
  const [objectiveId, setObjective] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const anchor = useRef<Anchor | undefined>(undefined)
  const types = useMemo(() => (group === '' ? undefined : typesOfGroup(group)), [group])
  const timeline = useTimeline(
    mission.id,
    { types, objectiveId: objectiveId || undefined },
    {
      wouldMove: () => list.current !== null && (isAway(list.current) || isUsed(list.current)),
      onShift: () => (anchor.current = list.current ? findAnchor(list.current) : undefined),
    },
  )
  const { held } = timeline
  const rows = useMemo(() => groupLines(linesOf(held)), [held])
  const known = useMemo(
    () => namesOf({ objectives, executionRequests, workers }),
    [objectives, executionRequests, workers],
  )
  useLayoutEffect(() => {
    if (anchor.current && list.current) keepInPlace(list.current, anchor.current)
    anchor.current = undefined
  }, [rows])

  const waiting = countWaiting(held)
  const toTop = () => {
    if (list.current) scrollerOf(list.current).scrollTo({ top: 0 })
    list.current?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <section className={styles['timeline']} aria-label="Timeline">
      <div className={styles['head']}>
        <h2>Timeline</h2>
        <span className={styles['filters']}>
          <Select
            isSmall
            isLabelHidden
            label="What is shown"
            value={group}
            choices={[
              { value: '', text: 'Everything' },
              ...Object.entries(eventGroups).map(([value, text]) => ({ value, text })),
            ]}
            // the values are those of the choices
            onChoose={(value) => setGroup(value as EventGroup | '')}
          />
          {objectives.length > 1 && (
            <Select
              isSmall
              isLabelHidden
              label="Of which objective"
              value={objectiveId}
              choices={[
                { value: '', text: 'All objectives' },
                ...objectives.map(({ id, displayId }) => ({ value: id, text: shortId(displayId) })),
              ]}
              onChoose={setObjective}
            />
          )}
        </span>
      </div>
      <div className={styles['scroller']} ref={list} tabIndex={-1}>
        {waiting > 0 && (
          <div className={styles['new']}>
            <Button
              look="first"
              onClick={() => {
                timeline.showWaiting()
                toTop()
              }}
            >
              ↑ {waiting} new
            </Button>
          </div>
        )}
        {held.newer.length > 0 && (
          <div className={styles['more']}>
            <Button onClick={timeline.readNewer}>Newer</Button>
            <Button
              onClick={() => {
                timeline.readNewest()
                toTop()
              }}
            >
              The newest
            </Button>
          </div>
        )}
        <TimelineRows rows={rows} known={known} />
        {timeline.error && <Problem error={timeline.error} onRetry={timeline.readAgain} />}
        {held.pages.length === 0 && !timeline.error && <Skeleton rows={5} />}
        {rows.length === 0 && holdsNewest(held) && (
          <p className={styles['none']}>
            {group === '' && objectiveId === ''
              ? 'Nothing has happened yet.'
              : 'Nothing of this kind among what was looked through.'}
          </p>
        )}
        {held.pages.at(-1)?.next !== undefined && (
          <div className={styles['more']}>
            <Button onClick={timeline.readOlder} disabled={timeline.isReading}>
              Older
            </Button>
          </div>
        )}
      </div>
    </section>
  )
}

/** The scrolled part around it: its own on a laptop, the page on a phone. */
function scrollerOf(list: HTMLElement): Element {
  return getComputedStyle(list).overflowY === 'auto'
    ? list
    : (document.scrollingElement ?? document.documentElement)
}

function isAway(list: HTMLElement): boolean {
  const scroller = scrollerOf(list)
  if (scroller === list) return list.scrollTop > nearPixels
  // below the bar, which stays where it is
  return list.getBoundingClientRect().top < 0
}

/** Somebody points at a row, or has focused something in one. */
function isUsed(list: HTMLElement): boolean {
  // on a touch screen what was tapped last counts as hovered
  const isPointedAt = matchMedia('(hover: hover)').matches && list.matches(':hover')
  return isPointedAt || list.contains(document.activeElement)
}

interface Anchor {
  key: string
  top: number
}

function findAnchor(list: HTMLElement): Anchor | undefined {
  const top = Math.max(0, list.getBoundingClientRect().top)
  const rows = list.querySelectorAll<HTMLElement>('[data-row]')
  for (const row of rows) {
    const place = row.getBoundingClientRect()
    if (place.bottom > top) return { key: row.dataset['row'] ?? '', top: place.top }
  }
  return undefined
}

function keepInPlace(list: HTMLElement, { key, top }: Anchor): void {
  const row = list.querySelector(`[data-row="${CSS.escape(key)}"]`)
  if (row) scrollerOf(list).scrollBy({ top: row.getBoundingClientRect().top - top })
}
