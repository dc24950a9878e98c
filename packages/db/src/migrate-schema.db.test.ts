import { expect, test } from 'vitest'
import { openDatabase } from './database.ts'
import { migrateSchema, newestMigration, refuseEarlier } from './migrate-schema.ts'
import { on, schemaOf, useDatabases } from './testing/databases.ts'

const { emptyDatabase } = useDatabases()

test('an empty database is brought to the newest migration, and once more to nothing new', async () => {
  const url = await emptyDatabase()
  const first = await migrateSchema(url)
  expect(first.at(-1)).toBe(await newestMigration())
  expect(first).toEqual(first.toSorted())
  const schema = await schemaOf(url)

  expect(await migrateSchema(url)).toEqual([])

  expect(await schemaOf(url)).toEqual(schema)
})

test('four that migrate at once do it once', async () => {
  const url = await emptyDatabase()
  const done = await Promise.all(Array.from({ length: 4 }, () => migrateSchema(url)))
  expect(done.filter((names) => names.length > 0)).toHaveLength(1)
})

test('what a newer version migrated is left as it is', async () => {
  const url = await emptyDatabase()
  await migrateSchema(url)
  await on(url, "insert into kysely_migration values ('999_later', '2100-01-01T00:00:00.000Z')")
  await expect(migrateSchema(url)).rejects.toThrow('999_later: start that version or a newer one')
})

test('a migration may take as long as what is there asks for', async () => {
  const url = await emptyDatabase()
  await on(
    url,
    `create table limits (setting text);
     create function note_limit() returns event_trigger language plpgsql as
       $$ begin insert into public.limits values (current_setting('statement_timeout')); end $$;
     create event trigger note_limit on ddl_command_start execute function note_limit()`,
  )
  await migrateSchema(url)
  expect(await on(url, 'select distinct setting from limits')).toEqual([{ setting: '0' }])
})

test('a database that an earlier version made is refused untouched, and its way is told', async () => {
  const url = await emptyDatabase()
  await on(
    url,
    `create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
     insert into kysely_migration values ('001_core', ''), ('002_webhooks', '');
     create table workspaces (id uuid primary key)`,
  )
  const before = await schemaOf(url)
  const way =
    /commit [0-9a-f]{12} is the last that reads it: .*svc-admin export.* into a new database with this one \(svc-admin import/

  await expect(migrateSchema(url)).rejects.toThrow(way)
  await using db = openDatabase({ url, poolSize: 1, onError: () => undefined })
  await expect(refuseEarlier(db)).rejects.toThrow(way)

  expect(await schemaOf(url)).toEqual(before)
  expect(await on(url, 'select name from kysely_migration order by name')).toEqual([
    { name: '001_core' },
    { name: '002_webhooks' },
  ])
})

test('a database of this version, and one of none, is no earlier one', async () => {
  const url = await emptyDatabase()
  await using db = openDatabase({ url, poolSize: 1, onError: () => undefined })
  await expect(refuseEarlier(db)).resolves.toBeUndefined()
  await migrateSchema(url)
  await expect(refuseEarlier(db)).resolves.toBeUndefined()
})
