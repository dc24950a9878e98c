import type { Queryable, Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { hashSecret } from '../common/secrets.ts'

const isOver = sql<boolean>`expires_at <= app.now()`.as('is_over')

/** Held until its transaction ends: who decides, takes and burns it waits for one another. */
export function lockById(tx: Tx, id: string) {
  return tx
    .selectFrom('login_requests')
    .selectAll()
    .select(isOver)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export function lockByHandle(tx: Tx, handle: string) {
  return byHandle(tx, handle).forNoKeyUpdate().executeTakeFirst()
}

export function byHandle(db: Queryable, handle: string) {
  return db
    .selectFrom('login_requests')
    .selectAll()
    .select(isOver)
    .where('handle_hash', '=', hashSecret(handle))
}
