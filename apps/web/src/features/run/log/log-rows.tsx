import { useVirtualizer } from '@tanstack/react-virtual'
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import type { Rows } from './held.ts'
import { LogRow } from './log-row.tsx'
import styles from './log.module.css'

/** What a page has its rows do. */
export interface RowsHandle {
  show: (offset: number) => void
  toEnd: () => void
}

interface LogRowsProps {
  ref: Ref<RowsHandle>
  run: string
  rows: Rows
  term: string
  current: number | undefined
  isWrapped: boolean
  isFollowing: boolean
  /** Somebody scrolls or points: what they look at stays where it is. */
  onHold: () => void
  /** Rows near the beginning or the end of what is held are on screen. */
  onNear: (end: 'older' | 'newer') => void
  /** Up to which byte is on screen. */
  onSeen: (offset: number) => void
}

const rowHeight = 24
/** So many rows before the end of what is held more is read. */
const nearRows = 150
const upwards = ['ArrowUp', 'PageUp', 'Home']

export function LogRows(props: LogRowsProps) {
  const { rows, run, term, current, isWrapped, isFollowing, onHold, onNear, onSeen } = props
  const frame = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.count,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    getItemKey: rows.startOf,
    overscan: 25,
    // what is put before leaves what is looked at where it is
    anchorTo: 'end',
  })
  useImperativeHandle(
    props.ref,
    () => ({
      show: (offset) => virtual.scrollToIndex(rows.find(offset), { align: 'center' }),
      toEnd: () => virtual.scrollToEnd(),
    }),
    [virtual, rows],
  )
  useEffect(() => virtual.measure(), [virtual, isWrapped])
  useEffect(() => {
    if (isFollowing) virtual.scrollToEnd()
  }, [virtual, rows, isFollowing, isWrapped])
  const shown = virtual.range
  const [first, last] = [shown?.startIndex ?? 0, shown?.endIndex ?? 0]
  useEffect(() => {
    if (rows.count === 0) return
    if (first < nearRows) onNear('older')
    if (last > rows.count - nearRows) onNear('newer')
    onSeen(rows.startOf(last + 1))
  }, [rows, first, last, onNear, onSeen])
  return (
    // it takes the focus like any field, since keys scroll it
    <div
      ref={frame}
      className={styles['rows']}
      data-wrap={isWrapped || undefined}
      role="group"
      aria-label="Log"
      tabIndex={0}
      onWheel={({ deltaY }) => deltaY < 0 && onHold()}
      onTouchMove={onHold}
      onPointerDown={onHold}
      onKeyDown={({ key }) => upwards.includes(key) && onHold()}
    >
      <div className={styles['all']} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            className={styles['placed']}
            style={{ transform: `translateY(${start}px)` }}
          >
            <RowAt rows={rows} index={index} run={run} term={term} current={current} />
          </div>
        ))}
      </div>
    </div>
  )
}

interface RowAtProps {
  rows: Rows
  index: number
  run: string
  term: string
  current: number | undefined
}

function RowAt({ rows, index, run, term, current }: RowAtProps) {
  const { start, end, isGap, number, isContinued } = rows.at(index)
  return (
    <LogRow
      run={run}
      start={start}
      number={number}
      gap={isGap ? end - start : undefined}
      isContinued={isContinued}
      text={isGap ? '' : textOf(rows.bytesOf(index))}
      term={term}
      isCurrent={current !== undefined && start <= current && current < end}
    />
  )
}

// a mark of byte order is drawn as a sign, like all that is not seen
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Without what ends the line. */
function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes).replace(/\r?\n$/, '')
}
