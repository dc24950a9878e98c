import type { Database } from '@svc/db/database'
import { sql } from 'kysely'

/** The rows that are new or other after the work, in alphabetical order, without what no two calls have in common. */
export async function rowsLeftBy(db: Database, work: () => Promise<unknown>): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string; next: string }>`
    select c.oid::regclass::text as name, pg_snapshot_xmax(pg_current_snapshot())::text as next
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = 'public'
       -- that a token was used is noted apart from the call, at any time
       and c.relname <> 'user_tokens'`.execute(db)
  await work()
  const left = tables.map(
    ({ name, next }) => sql`
      select ${name} as name, (to_jsonb(t) - ${varying}::text[])::text as row
        from ${sql.raw(name)} t where t.xmin::text::bigint >= ${next}::bigint`,
  )
  const { rows } = await sql<{ name: string; row: string }>`
    ${sql.join(left, sql` union all `)}`.execute(db)
  return rows.map(({ name, row }) => `${name} ${masked(row)}`).toSorted()
}

/** Random, or counted across everything, or of how the call came. */
const varying = ['key', 'seq', 'sequence', 'xid', 'came_from']

/** Ids, moments, secrets, the surface that a launch came by, and names with a number. */
function masked(row: string): string {
  return row
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:[+-]\d\d:\d\d|Z)/g, '<moment>')
    .replaceAll(/\\\\x[\da-f]+/g, '<bytes>')
    .replaceAll(/"source": "\w+"/g, '<source>')
    .replaceAll(/project-\d+(?::\d+(?:\.\w{4})?)?/g, '<name>')
}
