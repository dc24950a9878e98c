import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { isFocusLost } from '../../ui/lost-focus.ts'
import type { FileGroup } from './changed.ts'
import { type FileItem, itemByKey, itemsOf, keyOfFile } from './file-items.ts'
import { FileRow, GroupRow } from './file-row.tsx'
import styles from './files.module.css'
import type { Note } from './notes.ts'

interface FileListProps {
  groups: readonly FileGroup[]
  openPath: string | undefined
  viewed: ReadonlySet<string>
  notes: readonly Note[]
  /** How many are not read yet; those are read by `onMore`. */
  left: number
  onMore: () => void
  onOpen: (path: string) => void
  /** On a phone the open file is in its place. */
  isShown: boolean
}

const heights = { group: 36, file: 52, more: 44 } as const

/** Of the files those that can be seen are in the document, and the one that the Tab key comes to. */
export function FileList(props: FileListProps) {
  const { groups, openPath, left, onMore, isShown } = props
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [stopKey, setStop] = useState(openPath && keyOfFile(openPath))
  const [lastOpen, setLastOpen] = useState(openPath)
  const scroller = useRef<HTMLDivElement>(null)
  const takesFocus = useRef(false)
  const wasShown = useRef(isShown)
  if (openPath !== lastOpen) {
    setLastOpen(openPath)
    // whoever goes back to the list on a phone goes on from there
    if (openPath !== undefined) setStop(keyOfFile(openPath))
  }
  const items = useMemo(() => itemsOf(groups, closed, left), [groups, closed, left])
  const indexOf = (key: string) => items.findIndex((item) => item.key === key)
  const openAt = openPath === undefined ? -1 : indexOf(keyOfFile(openPath))
  const kept = stopKey === undefined ? -1 : indexOf(stopKey)
  const stop = Math.max(0, kept === -1 ? openAt : kept)
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => items[index]?.key ?? index,
    estimateSize: (index) => heights[items[index]?.type ?? 'file'],
    overscan: 6,
    rangeExtractor: (range) => {
      const seen = defaultRangeExtractor(range)
      return seen.includes(stop) ? seen : [...seen, stop].toSorted((one, other) => one - other)
    },
  })
  const takeFocus = () => {
    // a list that has just come back may have no rows yet
    const row = takesFocus.current ? rowAt(scroller.current, stop) : null
    if (row === null) return
    takesFocus.current = false
    row.focus()
  }
  useEffect(() => {
    const isBack = isShown && !wasShown.current
    wasShown.current = isShown
    if (!isShown || stopKey === undefined) return
    virtual.scrollToIndex(stop, { align: 'auto' })
    takesFocus.current = isBack && isFocusLost()
    takeFocus()
    // oxlint-disable-next-line react/exhaustive-deps -- where the open file is, or was; not whenever something is measured
  }, [openPath, isShown])
  useLayoutEffect(() => {
    if (takesFocus.current) virtual.scrollToIndex(stop, { align: 'auto' })
  }, [virtual, stop])
  useLayoutEffect(takeFocus)
  const rows = virtual.getVirtualItems()
  const isAtMore = items[rows.at(-1)?.index ?? -1]?.type === 'more'
  useEffect(() => {
    if (isAtMore) onMore()
    // oxlint-disable-next-line react/exhaustive-deps -- once for each time that it comes into view, and after each page
  }, [isAtMore, left])
  const press = (event: KeyboardEvent) => {
    const to = itemByKey(event.key, stop, items.length)
    const key = to === undefined ? undefined : items[to]?.key
    if (key === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    takesFocus.current = to !== stop
    setStop(key)
  }
  const toggle = (key: string) =>
    setClosed((before) => {
      const next = new Set(before)
      if (!next.delete(key)) next.add(key)
      return next
    })
  // rows that are not shown would be measured, and found to have no height
  if (!isShown) return null
  return (
    <div ref={scroller} className={styles['scroller']}>
      <ul
        className={styles['rows']}
        style={{ height: virtual.getTotalSize() }}
        aria-label="Changed files"
        onKeyDown={press}
      >
        {rows.map(({ index, key, start }) => {
          const item = items[index]
          if (item === undefined) return null
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={styles['placed']}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={items.length - 1 + Math.max(1, left)}
              aria-posinset={index + 1}
              onFocus={() => setStop(item.key)}
            >
              <Item {...props} item={item} isStop={index === stop} onToggle={toggle} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function rowAt(list: HTMLElement | null, index: number): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`[data-index="${index}"] button`) ?? null
}

interface ItemProps extends FileListProps {
  item: FileItem
  isStop: boolean
  onToggle: (key: string) => void
}

function Item({ item, isStop, onToggle, ...list }: ItemProps) {
  if (item.type === 'group') {
    const { key, group, isClosed } = item
    return <GroupRow {...{ group, isClosed, isStop }} onToggle={() => onToggle(key)} />
  }
  if (item.type === 'more') {
    return (
      <Button look="bare" tabIndex={isStop ? 0 : -1} onClick={list.onMore}>
        {item.left} more files
      </Button>
    )
  }
  const { path } = item.file
  return (
    <FileRow
      file={item.file}
      isOpen={path === list.openPath}
      isViewed={list.viewed.has(path)}
      notes={list.notes.filter((note) => note.path === path).length}
      isStop={isStop}
      onOpen={() => list.onOpen(path)}
    />
  )
}
