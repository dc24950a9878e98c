import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '@svc/db/database'
import { sql } from 'kysely'
import type { DomainLog } from '../common/log.ts'

/** Hints, never facts: a lost one costs at most a poll of a second. Decision 10. */
export const channels = {
  requests: 'svc_requests',
  changes: 'svc_changes',
  outbox: 'svc_outbox',
  deliveries: 'svc_deliveries',
  queues: 'svc_queues',
  /** About people who may have lost rights. */
  access: 'svc_access',
} as const
export type Channel = (typeof channels)[keyof typeof channels]
/** Heard at each poll, in this process alone: those who then look for what no hint named do so in the same moment. */
export const beat = 'beat'
type Heard = Channel | typeof beat

const coalesceMs = 20

/** What a hint is about, in words of its channel's own; the empty word stands for anything. */
export type About = readonly string[]
const anything = ''
/** PostgreSQL refuses a payload of 8,000 bytes. */
const longestPayload = 7_900

export interface WakeHub extends AsyncDisposable {
  /** Called after a commit: wakes this process at once and the others through the database. */
  notify(channel: Channel, about?: Iterable<string>): void
  /** A hint from another process. */
  heard(channel: string, payload?: string): void
  /** Calls at every hint on the channel, until it is disposed of. */
  listen(channel: Heard, hear: (about: About) => void): Disposable
  /** Resolves at the next hint on one of the channels, after `ms`, or when the signal aborts. */
  wait(channel: Heard | readonly Heard[], ms: number, signal?: AbortSignal): Promise<void>
}

export function createWakeHub(db: Database | null, log: DomainLog): WakeHub {
  const listening = new Map<string, Set<(about: About) => void>>()
  const pending = new Map<Channel, Set<string>>()
  const sending = new Set<Promise<void>>()

  const wakeLocal = (channel: string, about: About) => {
    for (const hear of listening.get(channel) ?? []) hear(about)
  }

  /** One statement for all hints that came meanwhile, on whatever channel. */
  const send = async (through: Database) => {
    await delay(coalesceMs)
    const hints = [...pending]
    pending.clear()
    const names = hints.map(([channel]) => channel)
    const payloads = hints.map(([, about]) => payloadOf(about))
    await sql`select pg_notify(channel, payload)
                from unnest(${names}::text[], ${payloads}::text[]) as hint(channel, payload)`
      .execute(through)
      .catch((error: unknown) => log.warn({ err: error, channels: names }, 'hints were not sent'))
  }

  const listen: WakeHub['listen'] = (channel, hear) => {
    const hearers = listening.get(channel) ?? new Set()
    listening.set(channel, hearers.add(hear))
    return { [Symbol.dispose]: () => void hearers.delete(hear) }
  }

  return {
    listen,
    notify(channel, about = [anything]) {
      const words = [...about]
      wakeLocal(channel, words)
      if (db === null) return
      const isFirst = pending.size === 0
      const coalesced = pending.get(channel) ?? new Set()
      for (const word of words) coalesced.add(word)
      pending.set(channel, coalesced)
      if (!isFirst) return
      const sent = send(db).finally(() => sending.delete(sent))
      sending.add(sent)
    },
    heard: (channel, payload = anything) => wakeLocal(channel, payload.split(' ')),
    async wait(channel, ms, signal) {
      if (signal?.aborted) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const give = () => resolve()
      using hearing = new DisposableStack()
      for (const one of [channel].flat()) hearing.use(listen(one, give))
      const timer = setTimeout(resolve, ms)
      signal?.addEventListener('abort', give, { once: true })
      await promise
      signal?.removeEventListener('abort', give)
      clearTimeout(timer)
    },
    async [Symbol.asyncDispose]() {
      for (const channel of listening.keys()) wakeLocal(channel, [anything])
      await Promise.all(sending)
    },
  }
}

function payloadOf(about: ReadonlySet<string>): string {
  const payload = [...about].join(' ')
  return about.has(anything) || payload.length > longestPayload ? anything : payload
}
