import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { connectTo, openDatabase } from './database.ts'
import { migrateSchema } from './migrate-schema.ts'
import { listMigrations, noteOf, readMigration } from './migrations.ts'
import { connected, on, schemaOf, useDatabases } from './testing/databases.ts'

const { emptyDatabase } = useDatabases()

const folder = new URL('testing/migrations/', import.meta.url)
const [first = '', second = '', ...later] = await listMigrations(folder)

const rows = 1_000
const workspace = '0190a000-0000-7000-8000-000000000001'
const idOf = (n: string) => `lpad(to_hex(${n}), 32, '0')::uuid`

/** Runs a second apart, each with a session half a second after it. */
const work = `
  insert into runs (workspace_id, id, list_id, position, created_at)
    select '${workspace}', ${idOf('n')}, '${workspace}', n, timestamptz '2025-01-01' - make_interval(secs => n)
      from generate_series(1, ${rows}) n;
  insert into sessions (workspace_id, id, attached_at)
    select '${workspace}', ${idOf('n')}, timestamptz '2025-01-01' - make_interval(secs => n - 0.5)
      from generate_series(1, ${rows}) n;`

/** As the first version leaves it, after some time. */
async function filledDatabase(): Promise<string> {
  const url = await emptyDatabase()
  await on(url, 'create table kysely_migration (name varchar(255) primary key, timestamp text)')
  await bringTo(url, first)
  await on(url, work)
  return url
}

async function bringTo(url: string, name: string): Promise<void> {
  const { steps } = await readMigration(folder, name)
  for (const step of [...steps, noteOf(name)]) await on(url, step)
}

/** What the service writes all day: a row of each table, two that trade places, one more run and its session. */
const turn = (n: number) => {
  const row = idOf(String((n % rows) + 1))
  return [
    `update runs set position = 2 * ${n} + 1 - position where position in (${n}, ${n} + 1)`,
    `update runs set updated_at = now() where id = ${row}`,
    `update sessions set last_heard_at = now() where id = ${row}`,
    `insert into runs (workspace_id, id, list_id, position, created_at)
      values ('${workspace}', gen_random_uuid(), gen_random_uuid(), 1, clock_timestamp())`,
    `insert into sessions (workspace_id, id, attached_at)
      values ('${workspace}', gen_random_uuid(), clock_timestamp())`,
  ]
}

/** As the service is connected: a statement that waits too long for a lock is refused. */
async function workOn(url: string, isOver: () => boolean): Promise<number> {
  await using db = openDatabase({ url, poolSize: 1, onError: () => undefined })
  const connection = await connectTo(db)
  let turns = 0
  do {
    turns += 1
    for (const statement of turn(2 * turns - 1)) await connection.query(statement)
  } while (!isOver())
  connection.release()
  return turns
}

/** While this snapshot is there, an index that is built while the service works is not finished. */
async function holdSnapshot(url: string) {
  const holder = await connected(url)
  await holder.query('begin isolation level repeatable read; select 1')
  return holder
}

const building = `select pid from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like '%create index concurrently%'`
const untilBuilding = (url: string) =>
  expect.poll(() => on<{ pid: number }>(url, building)).toHaveLength(1)

/** The numbers go up as the work came. */
const outOfOrder = `
  select * from (
    select seq, lag(seq, 1, 0::bigint) over (order by came_at) as before
      from (select seq, created_at as came_at from runs
            union all select seq, attached_at from sessions) work) numbered
   where seq <= before`

async function expectDone(url: string): Promise<void> {
  expect(await on(url, outOfOrder)).toEqual([])
  const fresh = await emptyDatabase()
  await migrateSchema(fresh, folder)
  expect(await schemaOf(url)).toEqual(await schemaOf(fresh))
}

describe('with rows in it', () => {
  test('a filled database is migrated while the service works on', { tags: 'large' }, async () => {
    const url = await filledDatabase()
    const holder = await holdSnapshot(url)
    let over = false
    const migrated = migrateSchema(url, folder).finally(() => (over = true))
    await untilBuilding(url)
    expect(await workOn(url, () => true)).toBe(1)
    const worked = workOn(url, () => over)
    await holder.end()

    expect(await migrated).toEqual([second, ...later])

    expect(await worked).toBeGreaterThan(0)
    await expectDone(url)
    await on(url, turn(1).at(-2) ?? '')
    await expectDone(url)
  })

  test('of two that migrate a filled database at once one does it, and the other waits', async () => {
    const url = await filledDatabase()
    const done = await Promise.all([migrateSchema(url, folder), migrateSchema(url, folder)])
    expect(done.filter((names) => names.length > 0)).toHaveLength(1)
    await expectDone(url)
  })

  test(
    'what a killed migrator left between two steps is finished by the next one',
    { tags: 'large' },
    async () => {
      const url = await filledDatabase()
      await using holder = await holdSnapshot(url)
      const module = new URL('migrate-schema.ts', import.meta.url).href
      const code = `(await import(${JSON.stringify(module)}))
      .migrateSchema(${JSON.stringify(url)}, new URL(${JSON.stringify(folder.href)}))`
      const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
        stdio: 'inherit',
      })
      await untilBuilding(url)
      child.kill('SIGKILL')
      await once(child, 'exit')
      const next = migrateSchema(url, folder)
      await holder.query('commit')

      expect(await next).toContain(second)

      await expectDone(url)
    },
  )

  test('an index whose building died is built by the next one', { tags: 'large' }, async () => {
    const url = await filledDatabase()
    await using holder = await holdSnapshot(url)
    const migrated = migrateSchema(url, folder).catch(String)
    await untilBuilding(url)
    await on(url, `select pg_terminate_backend(pid) from (${building}) died`)
    expect(await migrated).toContain('terminating connection')
    await holder.query('commit')
    const invalid = 'select from pg_index where not indisvalid'
    expect(await on(url, invalid)).toHaveLength(1)

    await migrateSchema(url, folder)

    expect(await on(url, invalid)).toEqual([])
    await expectDone(url)
  })

  test(
    'whichever step a migrator died after, the steps before it may be sent again',
    { tags: 'large' },
    async () => {
      const url = await filledDatabase()
      await using client = await connected(url)
      for (const name of [second, ...later]) {
        const { steps } = await readMigration(folder, name)
        for (let died = 1; died < steps.length; died += 1) {
          for (const step of steps.slice(0, died)) await client.query(step)
        }
        await client.query(`${steps.at(-1)}\n${noteOf(name)}`)
      }

      expect(await migrateSchema(url, folder)).toEqual([])

      await expectDone(url)
    },
  )
})
