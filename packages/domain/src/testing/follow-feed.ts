import type { FeedEvent } from '@svc/contracts/feed'
import { sql } from 'kysely'
import { formatCursor } from '../feed/cursor.ts'
import { openFeed } from '../feed/read-feed.ts'
import type { Caller } from './caller.ts'
import type { World } from './world.ts'

type FeedOf<E extends FeedEvent['event']> = Extract<FeedEvent, { event: E }>

export interface Followed {
  start: FeedOf<'start'>
  /** So many events, or it throws that the feed ended. */
  take(count: number): Promise<FeedEvent[]>
  /** The next change that is as asked for, whatever comes before it. */
  change(wanted: Partial<FeedOf<'change'>['data']>): Promise<FeedOf<'change'>>
  close(): Promise<void>
}

/**
 * A feed that a test reads, after its first event; from after all that is committed by now, where no cursor is given.
 * null is a feed that is asked for without one: while other transactions are open it begins before that.
 */
export async function followFeed(
  world: Pick<World, 'domain'>,
  caller: Pick<Caller, 'actor'>,
  { missionId, cursor }: { missionId?: string; cursor?: string | null } = {},
): Promise<Followed> {
  const { domain } = world
  const gone = new AbortController()
  const from = cursor === undefined ? await newestCursor(world) : (cursor ?? undefined)
  const items = await openFeed({ domain, signal: gone.signal }, await caller.actor(), {
    missionId,
    cursor: from,
  })
  const take = async (count: number) => {
    const taken: FeedEvent[] = []
    while (taken.length < count) {
      const { value, done } = await items.next()
      if (done) throw new Error('the feed ended')
      taken.push(value)
    }
    return taken
  }
  const [start] = await take(1)
  if (start?.event !== 'start') throw new Error('a feed begins with its start')
  return {
    start,
    take,
    async change(wanted) {
      for (;;) {
        const [next] = await take(1)
        if (next?.event === 'change' && isAs(next.data, wanted)) return next
      }
    },
    async close() {
      gone.abort()
      await items.return(undefined)
    },
  }
}

async function newestCursor({ domain }: Pick<World, 'domain'>): Promise<string> {
  const { rows } = await sql<{ xid: string; era: string }>`
    select (pg_snapshot_xmax(pg_current_snapshot())::text::numeric - 1)::text as xid, era::text
      from feed_floor`.execute(domain.db)
  const { xid = '', era = '' } = rows[0] ?? {}
  return formatCursor({ xid, seq: Number.MAX_SAFE_INTEGER, logXid: xid, era })
}

function isAs<T extends object>(data: T, wanted: Partial<T>): boolean {
  // the keys of an object literal are its key type; Object.keys only says string
  return (Object.keys(wanted) as (keyof T)[]).every((name) => data[name] === wanted[name])
}
