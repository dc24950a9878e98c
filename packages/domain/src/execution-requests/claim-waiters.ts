import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Domain } from '../domain.ts'
import { channels } from '../commit/wake-hub.ts'

interface Waiter {
  workspaceId: string
  projectIds: readonly string[] | null
  wake: () => void
}

interface Waiting {
  waiters: Set<Waiter>
  polling: boolean
}

const pollMs = 1_000
const spreadMs = 200

/** Per domain, so that two of them in one process do not share waiters. */
const waitingOf = new WeakMap<Domain, Waiting>()

/** Sleeps until a request may be there for this scope, at most `ms`. One poll a second serves every waiter. */
export async function waitForRequests(
  domain: Domain,
  scope: Omit<Waiter, 'wake'>,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const waiting = waitingOf.get(domain) ?? { waiters: new Set(), polling: false }
  waitingOf.set(domain, waiting)
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiter = { ...scope, wake: resolve }
  waiting.waiters.add(waiter)
  const timer = setTimeout(resolve, ms)
  signal?.addEventListener('abort', () => resolve(), { once: true })
  if (!waiting.polling) void poll(domain, waiting)
  await promise
  clearTimeout(timer)
  waiting.waiters.delete(waiter)
}

async function poll(domain: Domain, waiting: Waiting): Promise<void> {
  waiting.polling = true
  while (waiting.waiters.size > 0) {
    await domain.wake.wait(channels.requests, pollMs)
    try {
      await wakeSome(domain, waiting)
    } catch (error) {
      domain.log.warn({ err: error }, 'the poll for queued requests failed; it goes on')
      await delay(pollMs)
    }
  }
  waiting.polling = false
}

/** n waiting requests of a project wake at most n of the waiters that may take them, not all at the same instant. */
async function wakeSome(domain: Domain, waiting: Waiting): Promise<void> {
  const { rows } = await sql<{ workspace_id: string; project_id: string; count: number }>`
    select workspace_id, project_id, count(*) as count from execution_requests
     where status = 'queued' and run_after <= app.now()
     group by workspace_id, project_id`.execute(domain.db)
  for (const row of rows) {
    const matching = [...waiting.waiters].filter((waiter) => mayTake(waiter, row))
    for (const [index, waiter] of matching.slice(0, row.count).entries()) {
      waiting.waiters.delete(waiter)
      if (index === 0) waiter.wake()
      else setTimeout(waiter.wake, Math.random() * spreadMs)
    }
  }
}

function mayTake(waiter: Waiter, row: { workspace_id: string; project_id: string }): boolean {
  if (waiter.workspaceId !== row.workspace_id) return false
  return waiter.projectIds === null || waiter.projectIds.includes(row.project_id)
}
