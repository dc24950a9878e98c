import type { BrowserClient } from '@svc/client/browser'
import { RefusedError } from '@svc/client/errors'
import { sleep } from '@svc/client/retry'
import { type News, newsOf } from './news.ts'
import { type Store, createStore } from './store.ts'

/** The parts of a browser that tabs agree by; Node has the same. */
export interface TabParts {
  /** Left out by a browser that has no locks for this page, as for one that comes by plain HTTP from another machine. */
  locks: Pick<LockManager, 'request'> | undefined
  openChannel: (name: string) => BroadcastChannel
}

export interface FollowOptions extends TabParts {
  client: Pick<BrowserClient, 'feed'>
  /** The same for all tabs that may share a feed: person and workspace. */
  name: string
  signal: AbortSignal
  hear: (news: News) => void
}

export interface Following {
  /** To be told of the feed's connection, as long as this tab is the one that follows. */
  onConnection: (state: 'open' | 'closed') => void
  /** This tab follows the feed, and hands it on. */
  isLeading: Pick<Store<boolean>, 'get' | 'subscribe'>
}

const refusedMs = 10_000

/** Asked by a tab that comes later; whoever follows the feed says how it stands. */
interface Hello {
  type: 'hello'
}

/**
 * One feed for all tabs of a browser: a service without HTTP/2 would be blocked by six of them. The tabs elect one by a
 * lock, which ends with the tab that holds it; that one hands all it hears to the others. The next one goes on from the
 * last cursor that it was told. Without locks each follows a feed of its own.
 */
export function followFeed(options: FollowOptions): Following {
  const { name, locks, signal, hear } = options
  const channel = locks && options.openChannel(name)
  let cursor: string | undefined
  let version: string | undefined
  const isLeading = createStore(false)
  let hasBegun = false

  const take = (news: News) => {
    if ('cursor' in news) cursor = news.cursor
    if (news.type === 'start') {
      hasBegun = true
      version = news.version ?? version
    }
    if (news.type === 'away' || news.type === 'signed-out') hasBegun = false
    hear(news)
  }
  const tell = (news: News) => {
    take(news)
    channel?.postMessage(news)
  }
  channel?.addEventListener('message', ({ data }: MessageEvent<News | Hello>) => {
    if (data.type !== 'hello') take(data)
    else if (isLeading.get() && hasBegun && cursor !== undefined) {
      const start: News = { type: 'start', cursor, ...(version !== undefined && { version }) }
      channel.postMessage(start)
    }
  })
  channel?.postMessage({ type: 'hello' } satisfies Hello)
  signal.addEventListener('abort', () => channel?.close())

  const leadOn = async () => {
    isLeading.set(true)
    while (!signal.aborted) await lead(options, cursor, tell)
  }
  // where it is aborted the tab is done with it
  if (locks) void locks.request(name, { signal }, leadOn).catch(() => undefined)
  else void leadOn()

  return {
    onConnection: (state) => {
      // that it is open again the feed says itself, by how it begins
      if (state === 'closed' && isLeading.get() && !signal.aborted) tell({ type: 'away' })
    },
    isLeading,
  }
}

async function lead(
  { client, signal }: FollowOptions,
  cursor: string | undefined,
  tell: (news: News) => void,
): Promise<void> {
  try {
    for await (const event of client.feed({ signal, ...(cursor !== undefined && { cursor }) })) {
      const news = newsOf(event)
      if (news) tell(news)
    }
  } catch (error) {
    const isSignedOut = error instanceof RefusedError && error.code === 'unauthenticated'
    tell({ type: isSignedOut ? 'signed-out' : 'away' })
    // somebody may sign in again meanwhile, in another tab
    await sleep(refusedMs, signal).catch(() => undefined)
  }
}
