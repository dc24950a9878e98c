import type { FeedChange } from '@svc/contracts/feed'
import type { RouteName, RouteOutput, RouteRequest } from '@svc/contracts/rest'
import type { Query, QueryClient } from '@tanstack/react-query'
import { type News, revisionOf } from './news.ts'
import { type Call, type Together, groupsOf, readTogether } from './read-together.ts'

/** One read of the service, and what of the live feed concerns it. */
export interface Read<N extends RouteName = RouteName> {
  readonly operation: N
  /** Whether a change may make another answer of it. When in doubt, yes: then it is read again. */
  readonly touchedBy: (change: FeedChange, request: RouteRequest<N>) => boolean
  /** The answer after the change where the change says all of it; undefined where it has to be read. */
  readonly patch?: (answer: RouteOutput<N>, change: FeedChange) => RouteOutput<N> | undefined
  /** Of one thing: how several of them that are stale at once are read by one call. */
  readonly together?: Together<N>
}

/** What a query of the cache is about, as `useRead` puts it there. */
interface About {
  read: Read
  request: RouteRequest<RouteName>
}

export interface Live {
  hear: (news: News) => void
  /** Ends the timer. */
  stop: () => void
}

const gatherMs = 250

/**
 * Patch or mark: a change that says all there is to know is written into what is cached; any other marks what it
 * concerns, and what of that is on screen is read again, at most every 250 ms. What is off screen is read when it is shown.
 */
export function startLive(queries: QueryClient, call: Call, everyMs = gatherMs): Live {
  const stale = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const mark = (query: Query) => {
    stale.add(query.queryHash)
    timer ??= setTimeout(rereadStale, everyMs)
  }
  /**
   * An answer that is on its way may be older than the change. It is waited for, and read again: to give it up would leave
   * whoever has a slow connection without any.
   */
  const waitForBusy = (hashes: Set<string>) => {
    const busy = queries.getQueryCache().findAll({
      fetchStatus: 'fetching',
      predicate: ({ queryHash }) => hashes.has(queryHash),
    })
    for (const query of busy) {
      hashes.delete(query.queryHash)
      mark(query)
    }
  }
  const rereadStale = () => {
    timer = undefined
    const hashes = new Set(stale)
    stale.clear()
    waitForBusy(hashes)
    const shown = queries.getQueryCache().findAll({
      type: 'active',
      predicate: ({ queryHash }) => hashes.has(queryHash),
    })
    for (const group of groupsOf(shown, aboutOf)) {
      for (const { query } of group.wanted) hashes.delete(query.queryHash)
      void readTogether(queries, call, group)
    }
    void queries.invalidateQueries({ predicate: ({ queryHash }) => hashes.has(queryHash) })
  }

  return {
    hear: (news) => {
      const cached = queries.getQueryCache().getAll()
      if (news.type === 'reset') cached.filter((query) => aboutOf(query)).forEach(mark)
      if (news.type === 'change') cached.forEach((query) => take(queries, query, news.change, mark))
    },
    stop: () => clearTimeout(timer),
  }
}

function take(
  queries: QueryClient,
  query: Query,
  change: FeedChange,
  mark: (query: Query) => void,
): void {
  const about = aboutOf(query)
  if (about === undefined) return
  const { read, request } = about
  if (!read.touchedBy(change, request)) return
  const before = query.state.data as RouteOutput<RouteName> | undefined
  // what is deleted goes with the revision that it had
  const isOver = change.operation === 'delete'
  if (!isOver && isKnown(before, change.entityId, revisionOf(change))) return
  const patched = before === undefined ? undefined : read.patch?.(before, change)
  // what is being read may be older than the change
  if (patched === undefined || query.state.fetchStatus !== 'idle') return mark(query)
  queries.setQueryData(query.queryKey, patched)
}

/** Whether this state of the thing, or a later one, is what the answer holds already. */
function isKnown(answer: unknown, id: string, revision: number | undefined): boolean {
  if (revision === undefined || typeof answer !== 'object' || answer === null) return false
  if ('id' in answer && answer.id === id) {
    return 'revision' in answer && Number(answer.revision) >= revision
  }
  return Object.values(answer).some((part) => isKnown(part, id, revision))
}

function aboutOf({ meta }: Pick<Query, 'meta'>): About | undefined {
  // useRead alone gives a query its meta
  return meta?.['about'] as About | undefined
}
