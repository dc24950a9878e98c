import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { useStore, useWorkspace } from '../../../data/use-workspace.ts'
import {
  type Held,
  type HeldPage,
  completed,
  isOverfull,
  lacksAuthors,
  nothingHeld,
  pageLines,
  withNew,
  withNewer,
  withNewest,
  withOlder,
  withWaiting,
} from './held.ts'
import { type Line, type LineFilter, lineOfChange, lineOfEvent, passes } from './line.ts'

/** Lines that the feed told say who wrote them once they are read: soon, and not each by itself. */
const authorsMs = 2_000

interface Around {
  /** Whether a new line on top would move something that somebody looks at, points at or has focused. */
  wouldMove: () => boolean
  /** Rows are about to come or go above those that are seen. */
  onShift: () => void
}

export interface Timeline {
  held: Held
  isReading: boolean
  error: Error | undefined
  /** What could not be read. */
  readAgain: () => void
  readNewest: () => void
  readOlder: () => void
  readNewer: () => void
  showWaiting: () => void
}

/** The history of a mission: a part of it that does not grow with it, and what is added to it as it happens. */
export function useTimeline(missionId: string, filter: LineFilter, around: Around): Timeline {
  const { service, listen, mayRead } = useWorkspace()
  const { isReached } = useStore(service.connection)
  const isReady = useStore(mayRead)
  const held = useRef<Held>(nothingHeld)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [reading, setReading] = useState(0)
  const [error, setError] = useState<Error>()
  const latest = useRef(around)
  useEffect(() => {
    latest.current = around
  })
  const types = filter.types?.join(',')
  const { objectiveId } = filter
  const keep = useCallback((next: Held) => {
    if (next === held.current) return
    held.current = next
    redraw()
  }, [])

  const failed = useRef<() => void>(undefined)
  const readAgain = useCallback(() => failed.current?.(), [])
  const readPage = useCallback(
    async (
      signal: AbortSignal,
      again: () => void,
      cursor?: string,
      limit = pageLines,
    ): Promise<HeldPage | undefined> => {
      setReading((count) => count + 1)
      try {
        const filters = {
          ...(types !== undefined && { types }),
          ...(objectiveId !== undefined && { objectiveId }),
        }
        const request = {
          id: missionId,
          limit,
          ...filters,
          ...(cursor !== undefined && { cursor }),
        }
        const answer = await service.call('listMissionEvents', request, { signal })
        failed.current = undefined
        setError(undefined)
        return { cursor, next: answer.nextCursor, lines: answer.events.map(lineOfEvent) }
      } catch (problem) {
        if (signal.aborted) return undefined
        failed.current = again
        setError(problem instanceof Error ? problem : new Error(String(problem)))
        return undefined
      } finally {
        setReading((count) => count - 1)
      }
    },
    [service, missionId, types, objectiveId],
  )

  const ending = useRef(new AbortController())
  const told = useRef(new Set<Line[]>())
  /** With what was told while it was on its way: it may be older than that. */
  const readTold = useCallback(
    async (signal: AbortSignal, again: () => void, cursor?: string) => {
      const meanwhile: Line[] = []
      told.current.add(meanwhile)
      const page = await readPage(signal, again, cursor)
      told.current.delete(meanwhile)
      const isNewest = cursor === undefined
      const withTold = (now: Held) =>
        isNewest ? meanwhile.reduce((all, line) => withNew(all, line, false), now) : now
      return page && !signal.aborted ? { page, withTold } : undefined
    },
    [readPage],
  )
  const readNewest = useCallback(() => {
    void readTold(ending.current.signal, readNewest).then(
      (read) => read && keep(read.withTold(withNewest(read.page))),
    )
  }, [readTold, keep])

  useEffect(() => {
    if (!isReady) return undefined
    const controller = new AbortController()
    ending.current = controller
    keep(nothingHeld)
    readNewest()
    return () => controller.abort()
  }, [isReady, readNewest, keep])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const readAuthors = () => {
      timer = undefined
      const { signal } = ending.current
      if (!lacksAuthors(held.current)) return
      void readPage(signal, readAuthors, undefined, 50).then(
        (page) => page && !signal.aborted && keep(completed(held.current, page.lines)),
      )
    }
    const take = (line: Line) => {
      const wanted = { types: types?.split(','), objectiveId }
      if (!passes(wanted, line)) return
      for (const meanwhile of told.current) meanwhile.push(line)
      timer ??= setTimeout(readAuthors, authorsMs)
      if (held.current.pages.length === 0) return
      keep(withNew(held.current, line, latest.current.wouldMove()))
      if (isOverfull(held.current)) readNewest()
    }
    const leave = listen((news) => {
      if (news.type === 'reset') readNewest()
      else if (news.type === 'start') readAgain()
      if (news.type !== 'change') return
      const line = lineOfChange(news.change, missionId)
      if (line) take(line)
    })
    return () => {
      clearTimeout(timer)
      leave()
    }
  }, [listen, missionId, types, objectiveId, readPage, readNewest, readAgain, keep])

  // what failed for an outage is read by itself after it, as all else is
  useEffect(() => {
    if (isReached) readAgain()
  }, [isReached, readAgain])

  const readBeyond = (cursor: string | undefined, add: (held: Held, page: HeldPage) => Held) => {
    const before = held.current
    const again = () => readBeyond(cursor, add)
    void readTold(ending.current.signal, again, cursor).then((read) => {
      // somebody may have gone elsewhere meanwhile
      if (!read || held.current.newer !== before.newer) return
      latest.current.onShift()
      keep(read.withTold(add(held.current, read.page)))
    })
  }
  return {
    held: held.current,
    isReading: reading > 0,
    error,
    readAgain,
    readNewest,
    readOlder: () => {
      const next = held.current.pages.at(-1)?.next
      if (next !== undefined) readBeyond(next, withOlder)
    },
    readNewer: () => {
      if (held.current.newer.length > 0) readBeyond(held.current.newer.at(-1), withNewer)
    },
    showWaiting: () => {
      const next = withWaiting(held.current)
      if (next === 'read again') readNewest()
      else keep(next)
    },
  }
}
