import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { migrateSchema, newestMigration } from './migrate-schema.ts'
import { on, schemaOf, useDatabases } from './testing/databases.ts'

const { emptyDatabase, databaseAt } = useDatabases()

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

const id = (last: string) => `0190a000-0000-7000-8000-0000000000${last}`
const [w, u, p, s, m, o, q, r] = ['01', '02', '03', '04', '05', '06', '07', '08'].map(id)
/** A mission of two objectives, and a runner. */
const aMission = `
  insert into workspaces (id, slug, name) values ('${w}', 'here', 'Here');
  insert into users (id, email, name) values ('${u}', 'a@example.com', 'A');
  insert into projects (workspace_id, id, slug, name, created_by) values ('${w}', '${p}', 'web', 'Web', '${u}');
  insert into project_statuses values ('${w}', '${p}', '${s}', 'draft', 'Backlog', 1);
  insert into missions (workspace_id, id, project_id, sequence, title, status_id, priority, active_branch, created_by)
    values ('${w}', '${m}', '${p}', 1, 'M', '${s}', 'normal', 'm-1', '${u}');
  insert into objectives (workspace_id, id, mission_id, key, position, title, instruction, state, branch, created_by)
    values ('${w}', '${o}', '${m}', 'aaaa', 1, 'O', 'do', 'draft', null, '${u}'),
           ('${w}', '${q}', '${m}', 'bbbb', 2, 'Q', 'do', 'draft', 'm-1-bbbb', '${u}');
  insert into runners (workspace_id, id, user_id, fingerprint, label, platform, arch, instance_id, version, agents,
      capacity, last_heard_at)
    values ('${w}', '${r}', '${u}', 'device-1', 'box', 'linux', 'x64', '${r}', '1', '[]', '{}', now());`

interface Run {
  objective: string | undefined
  minute: number
  prepared: object
}
const aRun = (last: string, { objective, minute, prepared }: Run) => `
  insert into execution_requests (workspace_id, id, project_id, mission_id, objective_id, kind, status, source,
    agent, resource_key, config, runner_id, prepared, requested_by, created_at, ended_at)
  values ('${w}', '${id(last)}', '${p}', '${m}', '${objective}', 'run', 'failed', 'api', 'claude', 'web', '{}',
    '${r}', '${JSON.stringify(prepared)}', '${u}', now() + interval '${minute} minutes', now());`

test('the branches of missions under way are taken from the runs before', async () => {
  const url = await databaseAt('002')
  const on1 = (baseSha: string) => ({ branch: 'm-1', baseSha })
  await on(
    url,
    `${aMission}
     ${aRun('11', { objective: o, minute: 11, prepared: on1('a') })}
     ${aRun('12', { objective: o, minute: 12, prepared: on1('b') })}
     ${aRun('13', { objective: q, minute: 13, prepared: { branch: 'm-1-bbbb', baseSha: 'b' } })}
     insert into run_diffs values ('${w}', '${id('12')}', '${m}', '${o}', '{"headSha": "c"}');`,
  )

  await migrateSchema(url)

  expect(
    await on(
      url,
      'select objective_id, branch, start_sha, last_sha, runner_id from mission_branches order by branch',
    ),
  ).toEqual([
    { objective_id: null, branch: 'm-1', start_sha: 'a', last_sha: 'c', runner_id: r },
    { objective_id: q, branch: 'm-1-bbbb', start_sha: 'b', last_sha: 'b', runner_id: r },
  ])
})

test('runs and sessions from before are numbered as they came, and new ones after them', async () => {
  const url = await databaseAt('006')
  await on(
    url,
    `${aMission}
     ${aRun('13', { objective: o, minute: 1, prepared: {} })}
     ${aRun('12', { objective: o, minute: 3, prepared: {} })}
     insert into agent_sessions (workspace_id, id, mission_id, objective_id, user_id, session_key_hash,
         agent_identifier, title, status, end_reason, attached_at)
       values ('${w}', '${id('11')}', '${m}', '${o}', '${u}', 'h', 'claude', 'T', 'ended', 'exited',
         now() + interval '2 minutes');`,
  )

  await migrateSchema(url)
  await on(url, aRun('10', { objective: o, minute: 0, prepared: {} }))

  const came = await on<{ id: string }>(
    url,
    `select id from (select id, seq from execution_requests union all select id, seq from agent_sessions) work
      order by seq`,
  )
  expect(came.map((row) => row.id)).toEqual(['13', '11', '12', '10'].map(id))
})

test('an answer stored before is still read', async () => {
  const url = await databaseAt('002')
  await on(
    url,
    `insert into idempotency_keys (workspace_id, owner, route, key_hash, body_hash, answer)
     values ('${randomUUID()}', '${randomUUID()}', 'r', '', '', '{"answer": {"id": 1}}')`,
  )
  await migrateSchema(url)
  const [row] = await on<{ answer: string }>(url, 'select answer from idempotency_keys')
  expect(JSON.parse(row?.answer ?? '')).toEqual({ answer: { id: 1 } })
})
