import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, inject } from 'vitest'

/** Makes databases for the test file that calls this at its top; they are dropped after its last test. */
export function useDatabases() {
  const { url: server } = inject('postgres')
  const made: string[] = []
  afterAll(async () => {
    for (const name of made) await on(server, `drop database "${name}" with (force)`)
  })

  async function emptyDatabase(): Promise<string> {
    const name = `svc_test_${randomUUID()}`
    await on(server, `create database "${name}"`)
    made.push(name)
    return server.replace(/^(\w+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${name}`)
  }

  return { emptyDatabase }
}

/** Sent as one message on a connection of its own. */
export async function on<T extends object>(url: string, statement: string): Promise<T[]> {
  await using client = await connected(url)
  return (await client.query<T>(statement)).rows
}

export async function connected(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

/** What there is, by name; the notes of what was applied apart. */
export async function schemaOf(url: string): Promise<object[]> {
  const found = [columns, indexes, constraints, sequences].map((query) => on(url, query))
  return (await Promise.all(found)).flat()
}

const columns = `
  select table_schema, table_name, ordinal_position, column_name, data_type, is_nullable, column_default,
         generation_expression
    from information_schema.columns
   where table_schema in ('public', 'app') and table_name not like 'kysely%' order by 1, 2, 3`
const indexes = `
  select c.relname, pg_get_indexdef(c.oid), i.indisvalid, i.indisready, i.indimmediate
    from pg_index i join pg_class c on c.oid = i.indexrelid
   where c.relnamespace = 'public'::regnamespace and c.relname not like 'kysely%' order by 1`
const constraints = `
  select conrelid::regclass::text as of, conname, pg_get_constraintdef(oid), convalidated
    from pg_constraint
   where connamespace = 'public'::regnamespace and conrelid::regclass::text not like 'kysely%' order by 1, 2`
const sequences = `
  select sequencename, data_type::text, start_value, min_value, max_value, increment_by, cycle
    from pg_sequences where schemaname = 'public' order by 1`
