import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { migrateSchema, newestMigration } from './migrate-schema.ts'

const server = inject('postgres')
const made: string[] = []

async function emptyDatabase(): Promise<string> {
  const name = `svc_test_${randomUUID()}`
  await on(server.url, `create database "${name}"`)
  made.push(name)
  return server.url.replace(/^(\w+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${name}`)
}

async function on<T extends object>(url: string, statement: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(statement)).rows
  } finally {
    await client.end()
  }
}

afterAll(async () => {
  for (const name of made) await on(server.url, `drop database "${name}" with (force)`)
})

const columns = `select table_schema, table_name, column_name, data_type, is_nullable, column_default
  from information_schema.columns where table_schema in ('public', 'app') order by 1, 2, 3`

test('an empty database is brought to the newest migration, and once more to nothing new', async () => {
  const url = await emptyDatabase()
  const first = await migrateSchema(url)
  expect(first.at(-1)).toBe(await newestMigration())
  expect(first).toEqual(first.toSorted())
  const schema = await on(url, columns)

  expect(await migrateSchema(url)).toEqual([])

  expect(await on(url, columns)).toEqual(schema)
})

test('four that migrate at once do it once', async () => {
  const url = await emptyDatabase()
  const done = await Promise.all(Array.from({ length: 4 }, () => migrateSchema(url)))
  expect(done.filter((names) => names.length > 0)).toHaveLength(1)
})

test('every table of a workspace leads its primary key with workspace_id', async () => {
  const url = await emptyDatabase()
  await migrateSchema(url)
  const keys = await on<{ name: string; first: string }>(
    url,
    `select c.relname as name, a.attname as first
       from pg_index i
       join pg_class c on c.oid = i.indrelid
       join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
       join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      where i.indisprimary and exists (
        select from pg_attribute w where w.attrelid = c.oid and w.attname = 'workspace_id')`,
  )
  expect(keys.length).toBeGreaterThan(10)
  expect(keys.filter((key) => key.first !== 'workspace_id')).toEqual([])
})
