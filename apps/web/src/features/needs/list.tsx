import type { RouteOutput } from '@svc/contracts/rest'
import { type FocusEvent, useMemo, useState } from 'react'
import { useKeys } from '../../shell/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { totalOf } from '../../words/needs.ts'
import { Empty } from './empty.tsx'
import type { Row } from './held.ts'
import { needKeys } from './keys.ts'
import { NeedRow } from './row.tsx'
import styles from './needs.module.css'
import { useHeld } from './use-held.ts'

type Page = RouteOutput<'listNeeds'>

export interface NeedListProps {
  pages: readonly Page[]
  whose: 'mine' | 'all'
  /** What is under way, which is all there is to say where nothing waits. */
  running: RouteOutput<'listExecutionRequests'> | undefined
  /** Undefined where all is there. */
  onMore: (() => void) | undefined
  isLoadingMore: boolean
}

/** One row for each thing that waits, agents first. */
export function NeedList({ pages, whose, running, onMore, isLoadingMore }: NeedListProps) {
  const hasMore = onMore !== undefined
  const listed = useMemo(
    () => ({ needs: pages.flatMap(({ needs }) => needs), hasMore }),
    [pages, hasMore],
  )
  const { held, list, current, drop, focus, showNew } = useHeld(listed)
  const [focused, setFocused] = useState<string>()
  const { rows, waiting } = held
  const keyed = rowWithKeys(rows, focused)
  const see = (key: string | undefined) => {
    current.current = key
    setFocused(key)
  }
  useKeys(needKeys({ rows: rows.map(({ key }) => key), current: () => current.current, go: focus }))
  const counts = pages[0]?.counts
  if (rows.length === 0 && waiting.length === 0) {
    return <Empty whose={whose} counts={counts} running={running} />
  }
  const total = counts && totalOf(counts, whose).count
  return (
    <>
      {waiting.length > 0 && (
        <Button className={styles['new'] ?? ''} onClick={showNew}>
          {waiting.length} new
        </Button>
      )}
      <ul
        ref={list}
        className={styles['rows']}
        aria-label="What waits"
        onFocus={({ target }) => see(target.closest<HTMLElement>('[data-need]')?.dataset['need'])}
        onBlur={(event) => leaves(event) && see(undefined)}
      >
        {rows.map((row, index) => (
          <NeedRow
            key={row.key}
            row={row}
            hasKeys={row.key === keyed}
            place={hasMore ? { at: index + 1, of: total ?? -1 } : undefined}
            onGone={() => drop(row.key)}
          />
        ))}
      </ul>
      {onMore && (
        <Button onClick={onMore} disabled={isLoadingMore}>
          More
        </Button>
      )}
    </>
  )
}

/** The question in the row that has the focus; with no focus, the first that waits. */
function rowWithKeys(rows: readonly Row[], focused: string | undefined): string | undefined {
  const open = rows.filter(({ need, isSettled }) => need.kind === 'question' && !isSettled)
  const hasFocus = rows.some(({ key }) => key === focused)
  return (hasFocus ? open.find(({ key }) => key === focused) : open[0])?.key
}

/** The row is left for something else; where only its button is disabled or the window left, it stays the current one. */
function leaves({ currentTarget, target, relatedTarget }: FocusEvent): boolean {
  if (relatedTarget instanceof Node) return !currentTarget.contains(relatedTarget)
  return document.hasFocus() && !target.matches(':disabled')
}
