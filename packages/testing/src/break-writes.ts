import type { Database } from '@svc/db/database'
import { sql } from 'kysely'

/** From now on every write to the table fails, until disposed. Whatever wrote before it in a transaction goes too. */
export async function breakWrites(db: Database, table: string): Promise<AsyncDisposable> {
  await sql`create or replace function app.break_write() returns trigger language plpgsql as
    $$ begin raise exception 'the write to % is broken', tg_table_name; end $$`.execute(db)
  await sql`create trigger broken before insert or update or delete on ${sql.table(table)}
    execute function app.break_write()`.execute(db)
  return {
    async [Symbol.asyncDispose]() {
      await sql`drop trigger broken on ${sql.table(table)}`.execute(db)
    },
  }
}
