import type { Database } from '@svc/db/database'
import { sql } from 'kysely'

export interface Written {
  /** The tables in which a row was inserted, changed or deleted, in alphabetical order. */
  rows: string[]
  /** What the work threw, if it did. */
  refusal: unknown
}

/** Compares all that stands in the database before and after. */
export async function rowsWritten(db: Database, work: () => Promise<unknown>): Promise<Written> {
  const before = await versions(db)
  let refusal: unknown
  await work().catch((error: unknown) => {
    refusal = error
  })
  const after = await versions(db)
  const changed = [...after].filter(([row, version]) => before.get(row) !== version)
  const gone = [...before].filter(([row]) => !after.has(row))
  const tables = new Set([...changed, ...gone].map(([row]) => tableOf(row)))
  return { rows: [...tables].toSorted(), refusal }
}

function tableOf(row: string): string {
  return row.slice(0, row.indexOf(' '))
}

/** Each row by its place, with the transaction that wrote it. */
async function versions(db: Database): Promise<Map<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'pgboss')`.execute(db)
  const found = new Map<string, string>()
  for (const { name } of tables) {
    const { rows } = await sql<{ place: string; version: string }>`
      select ${placeAndVersionIn(name)} from ${sql.raw(name)} t`.execute(db)
    for (const row of rows) found.set(`${name} ${row.place}`, row.version)
  }
  return found
}

/** That a token was used is noted apart from the call, at any time, and is no part of what the call wrote. */
function placeAndVersionIn(table: string) {
  return table === 'user_tokens'
    ? sql`t.id as place, (to_jsonb(t) - 'last_used_at')::text as version`
    : sql`t.ctid::text as place, t.xmin::text as version`
}
