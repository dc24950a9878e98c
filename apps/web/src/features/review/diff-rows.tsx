import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Hidden } from '../../ui/hidden.tsx'
import { Text } from '../../ui/text.tsx'
import styles from './diff.module.css'
import { lineId, placeOf } from './lines.ts'
import { NoteBox } from './note-box.tsx'
import { type NotePlace, isAt, placeWords } from './notes.ts'
import type { DiffRow } from './patch.ts'
import type { Notes } from './use-notes.ts'

/** Up to so many are in the document, where the browser finds them; of more only those on screen are. */
const mostPlain = 1_000
const rowHeight = 24
/** What is longer is no line that anybody reads. */
const mostCharacters = 2_000

interface DiffRowsProps {
  path: string
  rows: readonly DiffRow[]
  notes: Notes
  /** Which line keys are about. */
  current: number | undefined
  editing: NotePlace | undefined
  onNote: (index: number, place: NotePlace) => void
  onClose: () => void
}

export function DiffRows(props: DiffRowsProps) {
  const isLong = props.rows.length > mostPlain
  return (
    <div className={styles['diff']} role="group" aria-label={`Changed lines of ${props.path}`}>
      {isLong ? (
        <LongRows {...props} />
      ) : (
        props.rows.map((_, index) => <Line key={index} index={index} {...props} />)
      )}
    </div>
  )
}

function LongRows(props: DiffRowsProps) {
  const { rows, current } = props
  const place = useRef<HTMLDivElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  useLayoutEffect(() => {
    const top = place.current?.getBoundingClientRect().top ?? 0
    setScrollMargin(top + window.scrollY)
  }, [])
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 40,
    scrollMargin,
    scrollPaddingStart: 80,
    scrollPaddingEnd: 120,
  })
  useEffect(() => {
    if (current !== undefined) virtual.scrollToIndex(current, { align: 'auto' })
  }, [virtual, current])
  return (
    <div ref={place} className={styles['long']} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, key, start }) => (
        <div
          key={key}
          ref={virtual.measureElement}
          data-index={index}
          className={styles['placed']}
          style={{ transform: `translateY(${start - scrollMargin}px)` }}
        >
          <Line index={index} {...props} />
        </div>
      ))}
    </div>
  )
}

const signs = { same: ' ', added: '+', removed: '−' } as const

function Line({ index, ...props }: DiffRowsProps & { index: number }) {
  const { path, rows, notes, current, editing, onNote, onClose } = props
  const row = rows[index]
  if (row === undefined) return null
  const place = placeOf(path, row)
  if (place === undefined || row.type === 'hunk' || row.type === 'note') {
    return (
      <div className={styles[row.type]}>
        <Text>{row.text}</Text>
      </div>
    )
  }
  const note = notes.all.find((one) => isAt(one, place))
  const isEditing = editing !== undefined && isAt(editing, place)
  return (
    <>
      <div
        className={styles['line']}
        data-type={row.type}
        data-current={index === current || undefined}
      >
        <button
          type="button"
          id={lineId(index)}
          className={styles['number']}
          // one line is reached by Tab, the others by j and k
          tabIndex={index === (current ?? 1) ? 0 : -1}
          onClick={() => onNote(index, place)}
        >
          <span className={styles['old']}>{'before' in row ? row.before : ''}</span>
          <span className={styles['new']}>{'after' in row ? row.after : ''}</span>
          <Hidden>
            {notes.mayWrite ? ', note on ' : ', '}
            {placeWords(place)}
          </Hidden>
        </button>
        <span className={styles['sign']}>{signs[row.type]}</span>
        <code className={styles['code']}>
          <Code text={row.text} />
        </code>
      </div>
      {(isEditing || note) && (
        <NoteBox
          place={place}
          text={note?.text ?? ''}
          isEditing={isEditing}
          onEdit={() => onNote(index, place)}
          onText={(text) => notes.set(place, text)}
          onClose={onClose}
        />
      )}
    </>
  )
}

function Code({ text }: { text: string }) {
  if (text.length <= mostCharacters) return <Text>{text}</Text>
  return (
    <>
      <Text>{text.slice(0, mostCharacters)}</Text>
      <span className={styles['more']}>
        … and {(text.length - mostCharacters).toLocaleString()} characters more
      </span>
    </>
  )
}
