import { sql } from 'kysely'
import type { Domain } from '../domain.ts'

/** Where a reader goes on: with changes after this one, and with logs after this transaction. */
export interface Cursor {
  xid: string
  seq: number
  logXid: string
}

/** After all that has committed, and before all that has not. */
export async function startingNow(domain: Domain): Promise<Cursor> {
  const { rows } = await sql<{ xid: string; before: string }>`
    select xid::text, (xid::text::numeric - 1)::text as before
      from pg_snapshot_xmin(pg_current_snapshot()) as xid`.execute(domain.db)
  const { xid, before } = rows[0] ?? { xid: '0', before: '0' }
  return { xid, seq: 0, logXid: before }
}

/** Some of what came after it is not kept any more, or it is none of this server's. */
export async function isTooOld(domain: Domain, { xid, logXid }: Cursor): Promise<boolean> {
  const { rows } = await sql<{ old: boolean }>`
    select xid <> '0' and ${xid}::xid8 <= xid
           -- given out by another server, or before this one was restored
           or ${xid}::xid8 > pg_snapshot_xmax(pg_current_snapshot())
           or ${logXid}::xid8 > pg_snapshot_xmax(pg_current_snapshot()) as old
      from feed_floor`.execute(domain.db)
  return rows[0]?.old ?? false
}

export function formatCursor({ xid, seq, logXid }: Cursor): string {
  return `${xid}.${seq}.${logXid}`
}

/** One of an earlier version says nothing of logs. */
export function parseCursor(text: string, now: Cursor): Cursor {
  const [xid = '0', seq = '0', logXid = now.logXid] = text.split('.')
  return { xid, seq: Number(seq), logXid }
}
