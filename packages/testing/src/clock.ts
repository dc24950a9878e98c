import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'

/** Puts `app.now()`, and with it the clock of pg-boss, at a distance that `advance` can change. */
export async function installTestClock(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
    create table app.clock (
      only_row boolean primary key default true check (only_row),
      offset_ms bigint not null
    );
    insert into app.clock (offset_ms) values (0);
    create or replace function app.now() returns timestamptz language sql stable parallel safe
      return statement_timestamp() + (select offset_ms from app.clock) * interval '1 millisecond';
    create or replace function pgboss.job_now() returns timestamptz language sql stable
      return app.now();
  `)
    .execute(db)
}

/** Moves the database's time on, for every connection, when the caller's transaction commits. */
export async function advance(db: QueryExecutorProvider, ms: number): Promise<void> {
  await sql`update app.clock set offset_ms = offset_ms + ${ms}`.execute(db)
}
