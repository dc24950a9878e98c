import { expect, test } from 'vitest'
import { openDatabase } from './database.ts'
import { migrateSchema, newestMigration, refuseEarlier } from './migrate-schema.ts'
import { noteOf, ownMigrations, readMigration } from './migrations.ts'
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

test(
  'a database of before the renames becomes what a new one is, and keeps its rows',
  { tags: 'large' },
  async () => {
    const [url, fresh] = await Promise.all([emptyDatabase(), emptyDatabase()])
    await migrateSchema(fresh)
    const { name, steps } = await readMigration(ownMigrations, '001_schema')
    await on(url, 'create table kysely_migration (name varchar(255) primary key, timestamp text)')
    for (const step of [...steps, noteOf(name)]) await on(url, step)
    await on(
      url,
      `insert into webhook_body (workspace_id, event_id, mode, bytes)
     values (gen_random_uuid(), gen_random_uuid(), 'thin', 'one')`,
    )

    expect((await migrateSchema(url))[0]).toBe('002_names')

    const schema = await schemaOf(url)
    expect(schema).toEqual(await schemaOf(fresh))
    const names = JSON.stringify(schema)
    expect(names).not.toMatch(
      /webhook_(event|subscription|body|delivery|attempt)\b|"owes_|_owed|_owing|_told_|_lanes/,
    )
    expect(names).not.toMatch(/webhook_(event|subscription|body|delivery|attempt)_/)
    expect(await on(url, 'select mode from webhook_bodies')).toEqual([{ mode: 'thin' }])
  },
)

test('four that migrate at once do it once', { tags: 'large' }, async () => {
  const url = await emptyDatabase()
  const done = await Promise.all(Array.from({ length: 4 }, () => migrateSchema(url)))
  expect(done.filter((names) => names.length > 0)).toHaveLength(1)
})

test('what a newer version migrated is left as it is', { tags: 'large' }, async () => {
  const url = await emptyDatabase()
  await migrateSchema(url)
  await on(url, "insert into kysely_migration values ('999_later', '2100-01-01T00:00:00.000Z')")
  await expect(migrateSchema(url)).rejects.toThrow('999_later: start that version or a newer one')
})

test('a migration may take as long as what is there asks for', { tags: 'large' }, async () => {
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

test(
  'a database of this version, and one of none, is no earlier one',
  { tags: 'large' },
  async () => {
    const url = await emptyDatabase()
    await using db = openDatabase({ url, poolSize: 1, onError: () => undefined })
    await expect(refuseEarlier(db)).resolves.toBeUndefined()
    await migrateSchema(url)
    await expect(refuseEarlier(db)).resolves.toBeUndefined()
  },
)
