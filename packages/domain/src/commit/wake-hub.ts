import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '@svc/db/database'
import { sql } from 'kysely'
import type { DomainLog } from '../log.ts'

/** Hints, never facts: a lost one costs at most a poll of a second. Decision 10. */
export const channels = {
  requests: 'svc_requests',
  changes: 'svc_changes',
  outbox: 'svc_outbox',
  deliveries: 'svc_deliveries',
} as const
export type Channel = (typeof channels)[keyof typeof channels]

const coalesceMs = 20

export interface WakeHub extends AsyncDisposable {
  /** Told after a commit: wakes this process at once and the others through the database. */
  tell(channel: Channel): void
  /** A hint from another process. */
  heard(channel: string): void
  /** Resolves at the next hint on the channel, after `ms`, or when the signal aborts. */
  wait(channel: Channel, ms: number, signal?: AbortSignal): Promise<void>
}

export function createWakeHub(db: Database | null, log: DomainLog): WakeHub {
  const waiting = new Map<string, Set<() => void>>()
  const pending = new Set<Channel>()
  const sending = new Set<Promise<void>>()

  const wakeLocal = (channel: string) => {
    const waiters = waiting.get(channel)
    waiting.delete(channel)
    for (const wake of waiters ?? []) wake()
  }

  const send = async (channel: Channel) => {
    await delay(coalesceMs)
    pending.delete(channel)
    await sql`select pg_notify(${channel}, '')`
      .execute(db as Database)
      .catch((error: unknown) => log.warn({ err: error, channel }, 'a hint was not sent'))
  }

  return {
    tell(channel) {
      wakeLocal(channel)
      if (db === null || pending.has(channel)) return
      pending.add(channel)
      const sent = send(channel).finally(() => sending.delete(sent))
      sending.add(sent)
    },
    heard: wakeLocal,
    async wait(channel, ms, signal) {
      if (signal?.aborted) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const waiters = waiting.get(channel) ?? new Set()
      waiting.set(channel, waiters.add(resolve))
      const timer = setTimeout(resolve, ms)
      const give = () => resolve()
      signal?.addEventListener('abort', give, { once: true })
      await promise
      signal?.removeEventListener('abort', give)
      clearTimeout(timer)
      waiting.get(channel)?.delete(resolve)
    },
    async [Symbol.asyncDispose]() {
      for (const channel of waiting.keys()) wakeLocal(channel)
      await Promise.all(sending)
    },
  }
}
