import type { NextStep } from '@svc/contracts/next-step'
import type { RouteName, RouteOutput } from '@svc/contracts/rest'
import type { Client } from './client.ts'
import { type Caller, exchange, follow } from './exchange.ts'
import { fetchOnce } from './fetch-once.ts'
import {
  endpoints,
  feedEvents,
  feedPaths,
  stepNames,
  version,
  versionHeader,
} from './in-browser.values.ts'
import type { RetryOptions } from './retry.ts'
import type { Surroundings } from './surroundings.ts'

export type { FeedEvent } from '@svc/contracts/feed'

export interface BrowserClientOptions {
  /** Slug or id of the workspace that is meant: the sign-in of a browser does not say. */
  workspace: string
  /** The origin of the service; that of the page when left out. */
  baseUrl?: string
  /** Ends every call and feed of this client. */
  signal?: AbortSignal
  retry?: Partial<RetryOptions>
  /** An answer that has not begun by then is waited for no longer: neither a process that hangs nor a dead network says so. */
  quietMs?: number
  /** Hears the version of the service with each answer. */
  onVersion?: (served: string) => void
  /** Hears when the service has begun to send a feed, and when that connection is over; it is made again by itself. */
  onFeed?: (state: 'open' | 'closed') => void
}

/** What a page calls; agents and tools have no use for a browser. */
export type BrowserClient = Pick<Client, 'call' | 'feed'>

const inBrowser: Omit<Surroundings, 'sendOnce'> = {
  feedEvents,
  feedPaths,
  knownStep: (given) => (isKnownStep(given) ? given : undefined),
}

/** The typed client for a page of the service, whose browser is signed in by its cookie. */
export function createBrowserClient(client: BrowserClientOptions): BrowserClient {
  const caller: Caller = {
    surroundings: { ...inBrowser, sendOnce: sendHearing(client) },
    baseUrl: client.baseUrl ?? '',
    headers: { [versionHeader]: version, 'x-svc-workspace': client.workspace },
    signal: client.signal,
    retry: client.retry,
    onAnswer: ({ headers: { [versionHeader]: served } }) => {
      if (served !== undefined) client.onVersion?.(served)
    },
  }
  return {
    // The contract types each answer; the service is trusted to keep it.
    call: <N extends RouteName>(name: N, request: object, options = {}) =>
      exchange(caller, endpoints[name], { ...request }, options) as Promise<RouteOutput<N>>,
    feed: (request) => follow(caller, request),
  }
}

/** A long answer begins at once, and its end comes later. */
const defaultQuietMs = 30_000

function sendHearing({
  onFeed = () => undefined,
  quietMs = defaultQuietMs,
}: BrowserClientOptions): Surroundings['sendOnce'] {
  return async (baseUrl, request, signal) => {
    const quiet = new AbortController()
    // a file is on its way for as long as it takes
    const isFile = typeof request.body === 'object'
    const timer = isFile ? undefined : setTimeout(() => quiet.abort(), quietMs)
    const either = signal ? AbortSignal.any([signal, quiet.signal]) : quiet.signal
    const answer = await fetchOnce(baseUrl, request, either).finally(() => clearTimeout(timer))
    const isFeed = request.headers['accept'] === 'text/event-stream' && answer.status === 200
    return isFeed ? { ...answer, body: hear(answer.body) } : answer
  }

  async function* hear(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    onFeed('open')
    try {
      yield* body
    } finally {
      onFeed('closed')
    }
  }
}

/** The service wrote it by its contract; only one of a newer service may be unknown here. */
function isKnownStep(given: unknown): given is NextStep {
  if (typeof given !== 'object' || given === null) return false
  if (!('operation' in given) || !('params' in given)) return false
  return stepNames.includes(String(given.operation)) && typeof given.params === 'object'
}
