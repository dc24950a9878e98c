import { sql } from 'kysely'
import type { Domain } from '../domain.ts'

/** Where a reader goes on: with changes after this one, and with logs after this transaction. */
export interface Cursor {
  xid: string
  seq: number
  logXid: string
  /** Of the counting of transactions that it is a cursor of. */
  era: string
}

/** Where a change stands among all. */
export type Place = Pick<Cursor, 'xid' | 'seq'>

/** Of two numbers of transactions. */
export const isLater = (xid: string, other: string) => BigInt(xid) > BigInt(other)

export function isAfter(one: Place, other: Place): boolean {
  if (one.xid === other.xid) return one.seq > other.seq
  return isLater(one.xid, other.xid)
}

export function earlierOf(one: Place, other: Place): Place {
  return isAfter(one, other) ? other : one
}

/** That of every database, until its feed is begun anew. */
const firstEra = '0'

/** After all that has committed, and before all that has not. */
export async function startingNow(domain: Domain): Promise<Cursor> {
  const { rows } = await sql<{ xid: string; before: string; era: string }>`
    select now.xid::text, (now.xid::text::numeric - 1)::text as before, era::text
      from pg_snapshot_xmin(pg_current_snapshot()) as now(xid), feed_floor`.execute(domain.db)
  const { xid, before, era } = rows[0] ?? { xid: '0', before: '0', era: firstEra }
  return { xid, seq: 0, logXid: before, era }
}

/** Some of what came after it is not kept any more, or it is none of this server's. */
export async function isTooOld(domain: Domain, { xid, logXid, era }: Cursor): Promise<boolean> {
  const { rows } = await sql<{ old: boolean }>`
    select xid <> '0' and ${xid}::xid8 <= xid
           -- given out by another server, or before this one was restored
           or era <> ${era}::bigint
           or ${xid}::xid8 > pg_snapshot_xmax(pg_current_snapshot())
           or ${logXid}::xid8 > pg_snapshot_xmax(pg_current_snapshot()) as old
      from feed_floor`.execute(domain.db)
  return rows[0]?.old ?? false
}

export function formatCursor({ xid, seq, logXid, era }: Cursor): string {
  const place = `${xid}.${seq}.${logXid}`
  return era === firstEra ? place : `${place}.${era}`
}

/** One of an earlier version says nothing of logs, and none of the first era says that. */
export function parseCursor(text: string, now: Cursor): Cursor {
  const [xid = '0', seq = '0', logXid = now.logXid, era = firstEra] = text.split('.')
  return { xid, seq: Number(seq), logXid, era }
}
