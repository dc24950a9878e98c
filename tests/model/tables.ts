import type { Database } from '@svc/db/database'
import { sql } from 'kysely'

let known: readonly string[] | undefined

/**
 * All that a sequence writes. That a token or a sign-in was used is noted outside of a call, and that a runner was heard is
 * no change of what it works on.
 */
export async function listTables(db: Database): Promise<readonly string[]> {
  if (known) return known
  const { rows } = await sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and (n.nspname = 'public' or c.relname like 'job%' and n.nspname = 'pgboss')
       and c.relname not in ('workspaces', 'users', 'memberships', 'user_tokens',
         'user_token_scopes', 'sign_ins', 'sweep_state', 'feed_floor', 'key_canary', 'runners')`.execute(
    db,
  )
  known = rows.map(({ name }) => name)
  return known
}
