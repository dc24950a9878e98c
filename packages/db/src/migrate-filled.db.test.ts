import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { connectTo, openDatabase } from './database.ts'
import { migrateSchema, newestMigration } from './migrate-schema.ts'
import { listMigrations, noteOf, readMigration } from './migrations.ts'
import { bringTo, connected, on, schemaOf, useDatabases } from './testing/databases.ts'

const { emptyDatabase, databaseAt } = useDatabases()

const missions = 5_000
const workspace = '0190a000-0000-7000-8000-000000000001'
const idOf = (n: string) => `lpad(to_hex(${n}), 32, '0')::uuid`
const missionOf = (n: string) => `('a' || lpad(to_hex(${n}), 31, '0'))::uuid`

/** Two objectives to a mission, and runs a second apart, each with a session half a second after it. */
const work = `
  set session_replication_role = replica;
  insert into missions (workspace_id, id, project_id, sequence, title, status_id, priority, created_by)
    select '${workspace}', ${missionOf('n')}, '${workspace}', n, 'M', '${workspace}', 'normal', '${workspace}'
      from generate_series(1, ${missions}) n;
  insert into objectives (workspace_id, id, mission_id, key, position, title, instruction, state, created_by)
    select '${workspace}', ${idOf('n')}, ${missionOf('(n + 1) / 2')}, 'k' || n, n, 'O', 'do', 'draft', '${workspace}'
      from generate_series(1, ${missions}) n;
  insert into execution_requests (workspace_id, id, project_id, mission_id, objective_id, kind, status, source, agent,
      config, requested_by, created_at)
    select '${workspace}', ${idOf('n')}, '${workspace}', ${missionOf('n')}, ${idOf('n')}, 'run', 'failed', 'api', 'claude',
           '{}', '${workspace}', timestamptz '2025-01-01' - make_interval(secs => n)
      from generate_series(1, ${missions}) n;
  insert into agent_sessions (workspace_id, id, mission_id, objective_id, execution_request_id, user_id,
      session_key_hash, agent_identifier, title, status, end_reason, attached_at)
    select '${workspace}', ${idOf('n')}, ${missionOf('n')}, ${idOf('n')}, ${idOf('n')}, '${workspace}',
           sha256(n::text::bytea), 'claude', 'T', 'ended', 'exited',
           timestamptz '2025-01-01' - make_interval(secs => n - 0.5)
      from generate_series(1, ${missions}) n;
  insert into mission_events (workspace_id, id, mission_id, type, summary, actor_role, created_at)
    select '${workspace}', ${idOf('n')}, ${missionOf('n')}, 'update', 'U', 'agent',
           timestamptz '2025-01-01' - make_interval(secs => n)
      from generate_series(1, ${missions}) n;
  insert into webhook_event (workspace_id, id, project_id, mission_id, type, snapshot, occurred_at)
    select '${workspace}', ${idOf('n')}, '${workspace}', ${missionOf('n')}, 'mission.blocked', '{}',
           timestamptz '2025-01-01' - make_interval(secs => n - 0.5)
      from generate_series(1, ${missions}) n;`

async function filledDatabase(): Promise<string> {
  const url = await databaseAt('006')
  await on(url, work)
  return url
}

/** What the service writes all day: a row of each table, two that trade places, one more run and its session. */
const turn = (n: number) => {
  const row = idOf(String((n % missions) + 1))
  return [
    `update missions set title = 'T' where id = ${missionOf(String((n % missions) + 1))}`,
    `update objectives set position = 2 * ${n} + 1 - position
      where position in (${n}, ${n} + 1) and mission_id = ${missionOf(String((n + 1) / 2))}`,
    `update execution_requests set updated_at = now() where id = ${row}`,
    `update agent_sessions set last_heard_at = now() where id = ${row}`,
    `insert into execution_requests (workspace_id, id, project_id, mission_id, objective_id, kind, status, source,
        agent, config, requested_by, created_at)
      select workspace_id, gen_random_uuid(), project_id, mission_id, objective_id, kind, status, source, agent, config,
             requested_by, clock_timestamp() from execution_requests where id = ${row}`,
    `insert into agent_sessions (workspace_id, id, mission_id, objective_id, user_id, session_key_hash,
        agent_identifier, title, status, end_reason, attached_at)
      select workspace_id, gen_random_uuid(), mission_id, objective_id, user_id, sha256(gen_random_uuid()::text::bytea),
             agent_identifier, title, status, end_reason, clock_timestamp() from agent_sessions where id = ${row}`,
    `insert into mission_events (workspace_id, id, mission_id, type, summary, actor_role, created_at)
      select workspace_id, gen_random_uuid(), mission_id, type, summary, actor_role, clock_timestamp()
        from mission_events where id = ${row}`,
    `insert into webhook_event (workspace_id, id, project_id, mission_id, type, snapshot, occurred_at)
      select workspace_id, gen_random_uuid(), project_id, mission_id, type, snapshot, clock_timestamp()
        from webhook_event where id = ${row}`,
  ]
}

/** As the service is connected: a statement that waits too long for a lock is refused. */
async function workOn(url: string, isOver: () => boolean): Promise<number> {
  await using db = openDatabase({ url, poolSize: 1, onError: () => undefined })
  const connection = await connectTo(db)
  await connection.query('set session_replication_role = replica')
  let turns = 0
  do {
    turns += 1
    for (const statement of turn(2 * turns - 1)) await connection.query(statement)
  } while (!isOver())
  connection.release()
  return turns
}

/** While this snapshot is there, an index that is built beside the work is not finished. */
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
      from (select seq, created_at as came_at from execution_requests
            union all select seq, attached_at from agent_sessions) work) numbered
   where seq <= before`
const eventsOutOfOrder = `
  select * from (
    select sequence, lag(sequence, 1, 0::bigint) over (order by came_at) as before
      from (select sequence, created_at as came_at from mission_events
            union all select sequence, occurred_at from webhook_event) told) numbered
   where sequence <= before`

async function expectDone(url: string): Promise<void> {
  expect(await on(url, outOfOrder)).toEqual([])
  expect(await on(url, eventsOutOfOrder)).toEqual([])
  const fresh = await emptyDatabase()
  await migrateSchema(fresh)
  expect(await schemaOf(url)).toEqual(await schemaOf(fresh))
}

describe('with 30,000 rows in it', { timeout: 120_000 }, () => {
  test('a filled database is migrated while the service works on', async () => {
    const url = await filledDatabase()
    const holder = await holdSnapshot(url)
    let over = false
    const migrated = migrateSchema(url).finally(() => (over = true))
    await untilBuilding(url)
    expect(await workOn(url, () => true)).toBe(1)
    const worked = workOn(url, () => over)
    await holder.end()

    expect((await migrated).at(-1)).toBe(await newestMigration())

    expect(await worked).toBeGreaterThan(0)
    await expectDone(url)
  })

  test('of two that migrate a filled database at once one does it, and the other waits', async () => {
    const url = await filledDatabase()
    const done = await Promise.all([migrateSchema(url), migrateSchema(url)])
    expect(done.filter((names) => names.length > 0)).toHaveLength(1)
    await expectDone(url)
  })

  test('what a killed migrator left between two steps is finished by the next one', async () => {
    const url = await filledDatabase()
    await using holder = await holdSnapshot(url)
    const module = new URL('migrate-schema.ts', import.meta.url).href
    const code = `(await import(${JSON.stringify(module)})).migrateSchema(${JSON.stringify(url)})`
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' })
    await untilBuilding(url)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const next = migrateSchema(url)
    await holder.query('commit')

    expect(await next).toContain('007_order_of_work')

    await expectDone(url)
  })

  test('an index whose building died is built by the next one', async () => {
    const url = await filledDatabase()
    await bringTo(url, '007')
    await using holder = await holdSnapshot(url)
    const migrated = migrateSchema(url).catch(String)
    await untilBuilding(url)
    await on(url, `select pg_terminate_backend(pid) from (${building}) died`)
    expect(await migrated).toContain('terminating connection')
    await holder.query('commit')
    const invalid = 'select from pg_index where not indisvalid'
    expect(await on(url, invalid)).toHaveLength(1)

    await migrateSchema(url)

    expect(await on(url, invalid)).toEqual([])
    await expectDone(url)
  })

  test('whichever step a migrator died after, the steps before it may be sent again', async () => {
    const url = await filledDatabase()
    await using client = await connected(url)
    for (const name of (await listMigrations()).slice(6)) {
      const { steps } = await readMigration(name)
      for (let died = 1; died < steps.length; died += 1) {
        for (const step of steps.slice(0, died)) await client.query(step)
      }
      await client.query(`${steps.at(-1)}\n${noteOf(name)}`)
    }

    expect(await migrateSchema(url)).toEqual([])

    await expectDone(url)
  })
})
