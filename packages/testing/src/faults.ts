import type { Database } from '@svc/db/database'
import { sql } from 'kysely'

export interface Fault {
  table: string
  operation: 'insert' | 'update'
  /** A condition on the new row, `new`; every row when left out. */
  when?: string
  /** An error code of PostgreSQL; without one, a plain exception. */
  code?: string
  /** How many writes fail before it works again; counted past rollbacks. */
  times?: number
}

/** A table that refuses writes while `work` runs. */
export async function withFault<T>(db: Database, fault: Fault, work: () => Promise<T>): Promise<T> {
  const { table, operation, when = 'true', code = 'P0001', times } = fault
  // a sequence is not rolled back with the write that failed
  const due = times === undefined ? 'true' : `nextval('test_fault_count') <= ${times}`
  await sql
    .raw(`
    create sequence test_fault_count;
    create function test_fault() returns trigger language plpgsql as $$
    begin
      if ${due} then raise exception 'made to fail' using errcode = '${code}'; end if;
      return new;
    end $$;
    create trigger test_fault before ${operation} on ${table} for each row when (${when})
      execute function test_fault();
  `)
    .execute(db)
  try {
    return await work()
  } finally {
    await sql.raw('drop function test_fault() cascade; drop sequence test_fault_count').execute(db)
  }
}
