import type { Queryable } from '@svc/db/database'
import { sql } from 'kysely'

/** How many statements on this database wait for a lock at this moment. */
export async function countBlocked(db: Queryable): Promise<number> {
  const { rows } = await sql<{ blocked: number }>`
    select count(*)::int as blocked from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.blocked ?? 0
}
