import { QueryClient } from '@tanstack/react-query'
import { type Service, openService } from './connection.ts'
import { type Drafts, openDrafts } from './drafts.ts'
import { type TabParts, followFeed } from './follow-feed.ts'
import { startLive } from './live.ts'
import { keepNewest } from './newest.ts'
import type { News } from './news.ts'
import { type Me, type Rights, rightsOf } from './rights.ts'
import { type Store, createStore } from './store.ts'

/** All that the pages of one workspace stand on. */
export interface Workspace {
  readonly slug: string
  readonly me: Me
  readonly rights: Rights
  readonly service: Service
  readonly queries: QueryClient
  readonly drafts: Drafts
  /** The feed has begun, so that nothing falls between what is read now and what it tells. */
  readonly mayRead: Store<boolean>
  /** Hears what the feed tells, for what is shown of it besides what is read. */
  listen: (hear: (news: News) => void) => () => void
  close: () => void
}

export interface BrowserParts extends TabParts {
  storage: Storage
  /** Where the browser says that it is without a network, and that it has one again. */
  network: EventTarget
  /** The origin of the service; that of the page when left out. */
  baseUrl?: string
}

/** Reads do not wait longer than that for a feed that does not begin. */
const feedWaitMs = 1_500

/** Rejects where the service is not reached, or refuses. */
export async function openWorkspace(slug: string, browser: BrowserParts): Promise<Workspace> {
  const closing = new AbortController()
  let onConnection: (state: 'open' | 'closed') => void = () => undefined
  const service = openService({
    slug,
    ...(browser.baseUrl !== undefined && { baseUrl: browser.baseUrl }),
    onFeed: (state) => onConnection(state),
  })
  const me = await service.call('getMe', {})
  const queries = createQueries()
  const live = startLive(queries)
  const mayRead = createStore(false)
  const listening = new Set<(news: News) => void>()
  const drafts = openDrafts({
    storage: browser.storage,
    person: me.user.id,
    workspace: me.workspace.id,
  })
  const watching = service.connection.subscribe(() => {
    if (!service.connection.get().isSignedIn) drafts.endSignIn()
  })
  const following = followFeed({
    ...browser,
    client: service.client,
    name: `svc:feed:${me.user.id}:${me.workspace.id}`,
    signal: closing.signal,
    hear: (news) => {
      hearConnection(service, news)
      if (news.type !== 'away' && news.type !== 'signed-out') mayRead.set(true)
      live.hear(news)
      for (const hear of listening) hear(news)
    },
  })
  onConnection = following.onConnection
  const { signal } = closing
  const ask = () => void service.call('getMe', {}).catch(() => undefined)
  browser.network.addEventListener('online', ask, { signal })
  browser.network.addEventListener('offline', ask, { signal })
  const waiting = setTimeout(() => mayRead.set(true), feedWaitMs)
  return {
    slug,
    me,
    rights: rightsOf(me),
    service,
    queries,
    drafts,
    mayRead,
    listen: (hear) => {
      listening.add(hear)
      return () => listening.delete(hear)
    },
    close: () => {
      clearTimeout(waiting)
      watching()
      drafts.flush()
      closing.abort()
      live.stop()
      queries.clear()
    },
  }
}

function hearConnection({ connection }: Service, news: News): void {
  const known = connection.get()
  if (news.type === 'away') connection.set({ ...known, feed: 'away' })
  else if (news.type === 'signed-out') connection.set({ ...known, isSignedIn: false })
  else if (news.type === 'start') {
    // also after somebody has signed in again in another tab
    connection.set({ ...known, feed: 'live', isReached: true, isSignedIn: true })
  }
}

/** The client tries again by itself, and the feed says what is stale: nothing is read because time has passed. */
function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: Infinity,
        gcTime: 10 * 60 * 1000,
        networkMode: 'always',
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        structuralSharing: keepNewest,
      },
    },
  })
}
