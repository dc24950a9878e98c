import { RefusedError, UnreachableError } from '@svc/client/errors'
import { type BrowserClient, createBrowserClient } from '@svc/client/browser'
import { type Store, createStore } from './store.ts'
import { saidBy } from './unanswered.ts'

/** How the page and the service hear each other. */
export interface Connection {
  /** The last call got an answer. */
  isReached: boolean
  isSignedIn: boolean
  /** Asked once the sign-in is refused here: false where it is good, and that of no member of this workspace. */
  isMember: boolean | undefined
  /** `live`: each change arrives as it happens. */
  feed: 'connecting' | 'live' | 'away'
  /** When the feed was lost: what is shown was kept true until then. */
  heardAt: number
  /** Of the service, as of its last answer. */
  version: string | undefined
}

/** For a call that somebody waits for: of a longer wait they are told, and do not watch a button that does nothing. */
export const patience = { patienceMs: 3_000 }

export interface Service {
  readonly slug: string
  readonly client: BrowserClient
  readonly connection: Store<Connection>
  /** As `client.call`; the connection learns from how it ends. */
  call: BrowserClient['call']
}

export interface ServiceOptions {
  slug: string
  baseUrl?: string
  /** The connection of the feed, when this tab is the one that follows it. */
  onFeed?: (state: 'open' | 'closed') => void
}

export function openService({ slug, baseUrl, onFeed }: ServiceOptions): Service {
  const connection = createStore<Connection>({
    isReached: true,
    isSignedIn: true,
    isMember: undefined,
    feed: 'connecting',
    heardAt: 0,
    version: undefined,
  })
  const learn = (more: Partial<Connection>) => connection.set({ ...connection.get(), ...more })
  const client = createBrowserClient({
    workspace: slug,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(onFeed && { onFeed }),
    retry: { attempts: 3, firstMs: 300, mostMs: 3_000 },
    onVersion: (version) => {
      if (connection.get().version !== version) learn({ version })
    },
  })
  return {
    slug,
    client,
    connection,
    call: async (name, request, options) => {
      try {
        const answer = await client.call(name, request, options)
        const { isReached, isSignedIn } = connection.get()
        if (!isReached || !isSignedIn) {
          learn({ isReached: true, isSignedIn: true, isMember: undefined })
        }
        return answer
      } catch (error) {
        // who is told to wait has reached it
        const isBusy = saidBy(error)?.code === 'rate_limited'
        if (error instanceof UnreachableError) learn({ isReached: isBusy })
        if (error instanceof RefusedError) {
          learn({ isReached: true, isSignedIn: error.code !== 'unauthenticated' })
        }
        throw error
      }
    },
  }
}
