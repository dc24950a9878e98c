import type { Queryable, Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { hashSecret } from '../common/secrets.ts'

/** What can be seen of old ones, such as that it was denied. */
const keptHours = 1

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

export async function forgetLoginRequests(tx: Tx): Promise<void> {
  await sql`
    delete from login_requests
     where expires_at < app.now() - make_interval(hours => ${keptHours})`.execute(tx)
}
