import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { announce } from '../../ui/announce.ts'
import { counted } from '../../words/counted.ts'
import { wordsOfNeed } from '../../words/needs.ts'
import {
  type Held,
  type Listed,
  type Row,
  drop as dropFrom,
  neighbourOf,
  nothingHeld,
  showWaiting,
  takeListed,
} from './held.ts'

/** The rows of the page, which follow what is listed without moving what somebody looks at. */
export function useHeld(listed: Listed) {
  const [held, setHeld] = useState(() => takeListed(nothingHeld, listed, false))
  const latest = useRef(held)
  const list = useRef<HTMLUListElement>(null)
  const current = useRef<string | undefined>(undefined)
  const keep = useCallback((next: Held) => {
    latest.current = next
    setHeld(next)
  }, [])
  // before the browser draws, so that nothing is seen for a moment and gone
  useLayoutEffect(() => {
    const before = latest.current
    const isLooking = before.rows.some(({ key }) => key === current.current)
    keep(takeListed(before, listed, isLooking || isLookedAt(list.current)))
  }, [listed, keep])
  useSayings(held)

  const focus = (key: string) => {
    rowOf(list.current, key)?.focus()
  }
  /** The row goes; where it had the focus, the next one has it. */
  const drop = (key: string) => {
    const had = current.current === key
    const next = neighbourOf(latest.current, key)
    flushSync(() => keep(dropFrom(latest.current, key)))
    if (!had) return
    current.current = undefined
    if (next === undefined) document.getElementById('main')?.focus()
    else focus(next)
  }
  const showNew = () => {
    const [first] = latest.current.waiting
    flushSync(() => keep(showWaiting(latest.current)))
    const row = latest.current.rows.find(({ need }) => need === first)
    if (row) focus(row.key)
  }
  return { held, list, current, drop, focus, showNew }
}

function rowOf(list: HTMLElement | null, key: string): HTMLElement | undefined {
  const rows = list?.querySelectorAll<HTMLElement>('[data-need]') ?? []
  return [...rows].find(({ dataset }) => dataset['need'] === key)
}

/** Somebody reads further down, or is about to press something. */
function isLookedAt(list: HTMLElement | null): boolean {
  if (list === null) return false
  const isPointedAt = matchMedia('(hover: hover)').matches && list.matches(':hover')
  return window.scrollY > 0 || isPointedAt || list.contains(document.activeElement)
}

/** What came and what was settled by others, for who hears the page. */
function useSayings({ rows, waiting }: Held): void {
  const known = useRef<ReadonlyMap<string, Row> | undefined>(undefined)
  useEffect(() => {
    const before = known.current
    known.current = new Map(rows.map((row) => [row.key, row]))
    if (before === undefined) return
    const fresh = rows.filter(({ key }) => !before.has(key))
    const settled = rows.filter(
      ({ key, isSettled }) => isSettled && before.get(key)?.isSettled === false,
    )
    const said = [
      ...(fresh.length === 0 ? [] : [`${counted(fresh.length, 'new row', 'new rows')}.`]),
      ...settled.map(({ need }) => {
        const { about, settled: sentence } = wordsOfNeed(need)
        return `${about.id ?? about.title}: ${sentence}`
      }),
    ]
    if (said.length > 0) announce(said.join(' '))
  }, [rows])
  const count = waiting.length
  useEffect(() => {
    if (count > 0) announce(`${count} new above.`)
  }, [count])
}
