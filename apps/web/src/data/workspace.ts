import { QueryClient } from '@tanstack/react-query'
import { type Service, openService } from './connection.ts'
import { type DraftOptions, type Drafts, openDrafts } from './drafts.ts'
import { type Following, type TabParts, followFeed } from './follow-feed.ts'
import { startLive } from './live.ts'
import { keepNewest } from './newest.ts'
import type { News } from './news.ts'
import { openNotifySetting } from './notify-setting.ts'
import { type Me, type Rights, rightsOf } from './rights.ts'
import { watchStanding } from './standing.ts'
import { type Store, createStore } from './store.ts'

/** All that the pages of one workspace stand on. */
export interface Workspace {
  readonly slug: string
  readonly me: Me
  readonly rights: Rights
  /** `me` as the service last said it: a role, or the name of the workspace, may change while pages are open. */
  readonly who: Store<Me>
  readonly service: Service
  readonly queries: QueryClient
  readonly drafts: Drafts
  /** The feed has begun, so that nothing falls between what is read now and what it tells. */
  readonly mayRead: Store<boolean>
  /** This tab follows the feed for all tabs of the browser. */
  readonly isLeading: Following['isLeading']
  /** This browser notifies its person of what is theirs. */
  readonly notify: Store<boolean>
  /** Hears what the feed tells, for what is shown of it besides what is read. */
  listen: (hear: (news: News) => void) => () => void
  close: () => void
}

export interface BrowserParts extends TabParts {
  storage: DraftOptions['storage']
  /** Where the browser says that it is without a network, and that it has one again. */
  network: EventTarget
  /** Leaves this page for the same one anew: it is for somebody else now. */
  beginAnew: () => void
  /** The origin of the service; that of the page when left out. */
  baseUrl?: string
}

/** Reads do not wait longer than that for a feed that does not begin. */
const feedWaitMs = 1_500
/** A service that is not reached is looked for as often. */
const lookMs = 5_000

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
  const who = createStore(me)
  const queries = createQueries()
  const live = startLive(queries, service.call)
  const mayRead = createStore(false)
  const listening = new Set<(news: News) => void>()
  const drafts = openDrafts({
    storage: browser.storage,
    person: me.user.id,
    workspace: me.workspace.id,
    signIn: () => who.get().signInId ?? '',
  })
  const notify = openNotifySetting({
    storage: browser.storage,
    openChannel: browser.openChannel,
    person: me.user.id,
    signal: closing.signal,
  })
  const lookAgain = async () => {
    const now = await service.call('getMe', {}).catch(() => undefined)
    if (now === undefined) return
    if (now.user.id !== me.user.id) return browser.beginAnew()
    const before = who.get()
    if (JSON.stringify(now) !== JSON.stringify(before)) who.set(now)
    // what may be read is another from here on, and what was read may be read no more
    if (now.role !== before.role) void queries.resetQueries()
  }
  // what could not be read meanwhile, and what was known to be old and could not be read again
  const readFailed = () =>
    void queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' })
  const tell = (news: News) => {
    live.hear(news)
    for (const hear of listening) hear(news)
  }
  // what was read before the feed began may be older than where it begins
  let hasReadEarly = false
  const following = followFeed({
    ...browser,
    client: service.client,
    name: `svc:feed:${me.user.id}:${me.workspace.id}`,
    signal: closing.signal,
    hear: (news) => {
      // a connection that is made anew may be that of another sign-in, and one that is lost that of no service
      const { feed } = service.connection.get()
      const wasLost = feed === 'away' || !service.connection.get().isSignedIn
      hearConnection(service, news)
      const isOther = news.type === 'away' || (news.type === 'start' && wasLost)
      if (isOther || isAbout(me, news)) void lookAgain()
      if (news.type !== 'away' && news.type !== 'signed-out') mayRead.set(true)
      if (news.type === 'start') readFailed()
      tell(news)
      if (news.type !== 'start' || !hasReadEarly) return
      hasReadEarly = false
      tell({ ...news, type: 'reset' })
    },
  })
  onConnection = following.onConnection
  const { signal } = closing
  const ask = () => void lookAgain()
  const watching = [
    watchReach(service, lookAgain, readFailed),
    watchStanding(service, () => who.get().signInId, browser.beginAnew),
  ]
  browser.network.addEventListener('online', ask, { signal })
  browser.network.addEventListener('offline', ask, { signal })
  const waiting = setTimeout(() => {
    hasReadEarly = !mayRead.get()
    mayRead.set(true)
  }, feedWaitMs)
  return {
    slug,
    me,
    rights: rightsOf(me),
    who,
    service,
    queries,
    drafts,
    mayRead,
    isLeading: following.isLeading,
    notify,
    listen: (hear) => {
      listening.add(hear)
      return () => listening.delete(hear)
    },
    close: () => {
      clearTimeout(waiting)
      for (const end of watching) end()
      drafts.flush()
      closing.abort()
      live.stop()
      queries.clear()
    },
  }
}

/** The same workspace for the same person, who may be something else in it by now. */
export function withMe(workspace: Workspace, me: Me): Workspace {
  return { ...workspace, me, rights: rightsOf(me) }
}

/** Whether it tells that this person, or their workspace, is another than before. */
function isAbout({ user }: Me, news: News): boolean {
  if (news.type !== 'change') return news.type === 'reset'
  const { entity, entityId } = news.change
  return entity === 'workspace' || (entity === 'member' && entityId === user.id)
}

/**
 * While the service is not reached, or its feed is away, it is looked for: one that ends answers calls still when its feed
 * is over. `onReached` when it is there again. Answers what ends it.
 */
function watchReach(
  { connection }: Service,
  look: () => Promise<void>,
  onReached: () => void | Promise<void>,
): () => void {
  let timer: ReturnType<typeof setInterval> | undefined
  let wasReached = true
  let isLooking = false
  // a network that swallows what is sent keeps each look for longer than there is between two
  const lookOnce = async () => {
    if (isLooking) return
    isLooking = true
    await look()
    isLooking = false
  }
  const leave = connection.subscribe(() => {
    const { isReached, isSignedIn, feed } = connection.get()
    if (!isReached || (isSignedIn && feed === 'away'))
      timer ??= setInterval(() => void lookOnce(), lookMs)
    else {
      clearInterval(timer)
      timer = undefined
    }
    if (isReached && !wasReached) void onReached()
    wasReached = isReached
  })
  return () => {
    clearInterval(timer)
    leave()
  }
}

function hearConnection({ connection }: Service, news: News): void {
  const known = connection.get()
  if (news.type === 'away') {
    const heardAt = known.feed === 'live' ? Date.now() : known.heardAt
    connection.set({ ...known, feed: 'away', heardAt })
  } else if (news.type === 'signed-out') connection.set({ ...known, isSignedIn: false })
  else if (news.type === 'start') {
    // also after somebody has signed in again in another tab
    const isIn = { isReached: true, isSignedIn: true, isMember: undefined }
    const version = news.version ?? known.version
    connection.set({ ...known, ...isIn, version, feed: 'live' })
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
