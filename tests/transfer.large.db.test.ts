import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { migrate } from '@svc/admin/migrate'
import type { FeedEvent } from '@svc/contracts/feed'
import { ExportInput, ImportInput, runExport, runImport } from '@svc/admin/transfer'
import type { Database } from '@svc/db/database'
import { earlierMigrations } from '@svc/db/earlier-schema'
import { importRows } from '@svc/db/transfer/import-rows'
import { queueTables } from '@svc/domain/jobs/jobs'
import type { Domain } from '@svc/domain/domain'
import { openFeed } from '@svc/domain/feed/read-feed'
import { fanOutDue } from '@svc/domain/webhooks/sending/fan-out'
import { defaultTiming } from '@svc/domain/webhooks/sending/retry-schedule'
import { openDomainOf } from '@svc/service/domain'
import { openOutbound } from '@svc/outbound/open-outbound'
import { createTestDatabase } from '@svc/testing/database'
import { deliverDue } from '@svc/domain/testing/deliver-due'
import { openHooked } from '@svc/domain/testing/hooked-world'
import { type Person, personWith } from '@svc/domain/testing/people'
import { runnerWith } from '@svc/domain/testing/runner'
import { openWorld } from '@svc/domain/testing/world'
import { sql } from 'kysely'
import { expect, test as base } from 'vitest'
import type { z } from 'zod'
import { findBroken } from './invariants.ts'
import { environmentOf, log, say } from './transfer-environment.ts'

const changedFiles = [{ filePath: 'a.ts', additions: 1, deletions: 0 }]

/** A service at work, its export, and new databases. */
// oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
const test = base.extend('moving', { scope: 'file' }, async ({}, { onCleanup }) => {
  const opened = new AsyncDisposableStack()
  onCleanup(() => opened.disposeAsync())
  const folder = await mkdtemp(join(tmpdir(), 'svc-export-'))
  opened.defer(() => rm(folder, { recursive: true }))
  const source = opened.use(await createTestDatabase())
  const world = opened.use(await openWorld(source.connectionString))
  const hooked = opened.use(await openHooked(world))
  const { alice } = world
  const { mission } = await world.missionWith(['running', 'queued', 'done', 'a\n\\.\n\tb\\N'], {
    allowParallelObjectives: true,
  })
  const [running, waiting, done, other] = mission.objectives
  const { agent } = await world.attachedRun(done)
  await agent.deliver({ summary: 'It is done' })
  const over = await world.attachedRun(other)
  await over.runner.log(over.lease, 0, 'output')
  await over.runner.diff(over.lease, {
    stat: changedFiles,
    patch: 'diff --git a/a.ts b/a.ts\n+a\n',
  })
  await over.runner.exited(over.lease, { usage: { usd: '0.25' } })
  const { lease } = await world.attachedRun(running)
  const { executionRequest: queued } = await alice.launch(waiting)
  // one event that was handed on and waits for its attempt, and one that nobody has looked at
  await hooked.subscribe()
  await hooked.moveMission({ missionId: mission.id })
  while ((await fanOutDue(world.domain, defaultTiming)) > 0) continue
  await hooked.moveMission({ missionId: mission.id })
  const environment = environmentOf(source.connectionString)
  const exportTo = (file: string, more: Partial<z.infer<typeof ExportInput>> = {}) =>
    runExport(environment, { log, input: ExportInput.parse({ file, ...more }), say })
  const file = join(folder, 'svc-export.gz')
  await exportTo(file)
  const emptyDatabase = async () => opened.use(await createTestDatabase()).connectionString
  const openAt = async (url: string): Promise<Domain> => {
    const outbound = openOutbound(['*@127.0.0.1'])
    return opened.use(await openDomainOf(environmentOf(url), { log, outbound }))
  }
  const out = { mission, running, queued, lease, over: over.lease }
  return { folder, file, exportTo, world, hooked, out, emptyDatabase, openAt }
})

const importInto = (url: string, file: string, key = 7) =>
  runImport(environmentOf(url, key), { input: ImportInput.parse({ file }), say })

/** Each table's rows in a few letters; the catalog's names, so that a new table is among them. */
async function rowsOf(db: Database): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select oid::regclass::text as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace
        or oid = 'pgboss.job'::regclass order by 1`.execute(db)
  const found: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ text: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(t::text, '' order by t::text)), '') as text
        from ${sql.raw(name)} t`.execute(db)
    found[name] = rows[0]?.text ?? ''
  }
  return found
}

const sequencesOf = async (db: Database) => {
  const { rows } = await sql`
    select sequencename, last_value from pg_sequences
     where schemaname = 'public' order by 1`.execute(db)
  return rows
}

/** When agents were started was not known: with it come the seconds of their runs. What a run changed was one text. */
const ofThen = {
  execution_requests: null,
  objectives: null,
  missions: null,
  usage_weeks: null,
  run_diffs: null,
}

/** What does not move: where the feed stands is a number of this server alone. */
const ofTheServer = {
  entity_changes: null,
  run_log_ends: null,
  feed_floor: null,
  kysely_migration: null,
}

async function firstOfFeed(domain: Domain, person: Person, cursor: string): Promise<FeedEvent> {
  const signal = AbortSignal.timeout(20_000)
  for await (const item of await openFeed({ domain, signal }, await person.actor(), { cursor })) {
    if (item.event !== 'start') return item
  }
  throw new Error('the feed showed nothing')
}

test('an export that is imported brings every row, and the service goes on where it was', async ({
  moving: { world, hooked, out, file, emptyDatabase, openAt },
}) => {
  const url = await emptyDatabase()
  await importInto(url, file)
  const domain = await openAt(url)
  const before = await rowsOf(world.domain.db)
  expect({ ...(await rowsOf(domain.db)), ...ofTheServer }).toEqual({ ...before, ...ofTheServer })
  expect(await sequencesOf(domain.db)).toEqual(await sequencesOf(world.domain.db))
  expect(before).toMatchObject({ 'pgboss.job': expect.stringMatching(/^[1-9]/) as string })

  const alice = personWith(domain, world.alice.token)
  expect(await alice.objective(out.running)).toMatchObject({ state: 'executing' })
  const { projectId } = await alice.request(out.queued)
  const runner = runnerWith(domain, alice.token, { projectIds: [projectId] })
  expect(await runner.heartbeat(out.lease)).toMatchObject([{ requestId: out.lease.id, ok: true }])
  expect(await runner.take()).toMatchObject({ id: out.queued.id })

  await deliverDue(domain)
  expect(hooked.receiver.posts).toHaveLength(2)
  // what is numbered goes on after what came
  const { objectives } = await alice.call('addObjectives', {
    id: out.mission.id,
    objectives: [{ instruction: 'one more' }],
  })
  expect(objectives.at(-1)).toMatchObject({ instruction: 'one more' })
})

test('a reader of the feed starts anew where the transactions are counted otherwise', async ({
  moving: { world, file, emptyDatabase, openAt },
}) => {
  const url = await emptyDatabase()
  await importInto(url, file)
  const domain = await openAt(url)
  const alice = personWith(domain, world.alice.token)
  for (const cursor of ['5.1', '999999999999.1']) {
    expect(await firstOfFeed(domain, alice, cursor)).toMatchObject({ event: 'reset' })
  }
})

test('an import that is refused leaves nothing, and says what to do', async ({
  moving: { folder, file, emptyDatabase, openAt },
}) => {
  const url = await emptyDatabase()
  const domain = await openAt(url)
  const before = await rowsOf(domain.db)
  const whole = await readFile(file)
  const plain = gunzipSync(whole).toString('latin1')
  const written = async (name: string, bytes: Buffer) => {
    const path = join(folder, name)
    await writeFile(path, bytes)
    return path
  }
  const zipped = (text: string) => gzipSync(Buffer.from(text, 'latin1'))
  const turned = Buffer.from(whole)
  const middle = Math.floor(turned.length / 2)
  turned[middle] = (turned[middle] ?? 0) ^ 1
  const refused: [string, RegExp][] = [
    [join(folder, 'nowhere'), /cannot be read: name the file/],
    [await written('truncated', whole.subarray(0, -20)), /no whole export .*export anew/],
    [await written('no-end', zipped(plain.slice(0, -200))), /no whole export .*export anew/],
    [await written('byte', turned), /no whole export .*export anew/],
    [await written('other-rows', zipped(plain.replace('It is done', 'It is gone'))), /checksum/],
    [await written('twice', zipped(plain + plain)), /something follows/],
    [await written('text', Buffer.from('no export')), /no whole export/],
  ]
  for (const [path, reason] of refused) {
    await expect(importInto(url, path)).rejects.toThrow(reason)
  }
  await expect(importInto(url, file, 8)).rejects.toThrow(/another key ring: set SVC_SECRET_KEYS/)
  const interrupted = importRows(url, file, {
    queue: queueTables,
    settle: async (tx) => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
    },
  })
  await expect(interrupted).rejects.toThrow(/terminat/)
  expect(await rowsOf(domain.db)).toEqual(before)

  await sql`insert into kysely_migration values ('999_later', '')`.execute(domain.db)
  await expect(importInto(url, file)).rejects.toThrow(/999_later.*run svc-admin migrate on both/)
  await sql`delete from kysely_migration where name = '999_later'`.execute(domain.db)

  await importInto(url, file)
  const full = await rowsOf(domain.db)
  await expect(importInto(url, file)).rejects.toThrow(/holds rows already .*Make a new database/)
  expect(await rowsOf(domain.db)).toEqual(full)
})

/** What tables and columns were called before 002_names. */
const earlierNames = {
  webhook_events: 'webhook_event',
  webhook_subscriptions: 'webhook_subscription',
  webhook_bodies: 'webhook_body',
  webhook_deliveries: 'webhook_delivery',
  webhook_attempts: 'webhook_attempt',
  pending_advance_delivery_id: 'advance_owed_by',
  advances_queue_id: 'owes_queue_id',
  no_runner_notified_at: 'no_runner_told_at',
  advance_pending_since: 'advance_owed_since',
}

/** Renames in the lines that are JSON: the header, the beginning of each table, and the count of rows at the end. */
function withEarlierNames(line: string): string {
  if (!/^\{"(format|table|rows)"/.test(line)) return line
  return Object.entries(earlierNames).reduce(
    (text, [name, earlier]) => text.replaceAll(`"${name}"`, `"${earlier}"`),
    line,
  )
}

/** Tables and columns that came with the files from 003_holds on, and what stood in the place of one. */
const addedTables = new Set([
  'held_memberships',
  'removed_workspaces',
  'usage_weeks',
  'run_log_ends',
  'run_files',
  'run_log_sums',
  'run_logs',
])
const added = [
  'addressed_to',
  'checks',
  'chosen_check',
  'conversation',
  'held_agents',
  'held_since',
  'in_review_since',
  'launches',
  'raw_bytes',
  'started_at',
  'used',
]
const isAdded = (table: string, column: string) =>
  /^(?:budget_|used_|need$|need_)/.test(column) ||
  added.includes(column) ||
  (table === 'workspaces' && ['deleted_at', 'deleted_by'].includes(column)) ||
  (table === 'entity_changes' && ['user_id', 'revision'].includes(column)) ||
  (table === 'run_diffs' && ['report', 'files', 'additions', 'deletions'].includes(column))

/** The sections of tables in an export, whose rows are lines of COPY. */
function withoutAdditions(lines: readonly string[]): string[] {
  const kept: string[] = []
  let table = ''
  let columns: string[] = []
  let isGone = false
  for (const line of lines) {
    if (line.startsWith('{"table"')) {
      const start = JSON.parse(line) as { table: string; columns: string[] }
      table = start.table
      columns = start.columns
      isGone = addedTables.has(start.table)
      const left = columns.filter((column) => !isAdded(table, column))
      if (!isGone) kept.push(JSON.stringify({ ...start, columns: left }))
    } else if (line === '\\.') {
      columns = []
      if (!isGone) kept.push(line)
      isGone = false
    } else if (!isGone)
      kept.push(columns.length === 0 ? withoutTables(line) : asBefore(table, columns, line))
  }
  return kept
}

/** A line of JSON that names or counts them. */
function withoutTables(line: string): string {
  if (!/^\{"(?:format|rows)"/.test(line)) return line
  const read = JSON.parse(line) as { tables?: string[]; rows?: Record<string, number> }
  const rows = Object.entries(read.rows ?? {}).filter(([name]) => !addedTables.has(name))
  return JSON.stringify({
    ...read,
    ...(read.tables && { tables: read.tables.filter((name) => !addedTables.has(name)) }),
    ...(read.rows && { rows: Object.fromEntries(rows) }),
  })
}

/** What a run had used was a part of how its process ended, and the files that it changed one of its diff. */
function asBefore(table: string, columns: readonly string[], line: string): string {
  const values = line.split('\t')
  const used = values[columns.indexOf('used')]
  const exit = columns.indexOf('exit')
  if (columns.includes('used') && used !== '\\N') {
    const { seconds: _since, ...usage } = JSON.parse(used ?? '') as { seconds: number }
    values[exit] = JSON.stringify({ ...(JSON.parse(values[exit] ?? '') as object), usage })
  }
  const diff = columns.indexOf('diff')
  if (table === 'run_diffs') {
    const stat = `"stat": ${JSON.stringify(changedFiles)}, `
    values[diff] = values[diff]?.replace('{', `{${stat}`) ?? ''
  }
  return values.filter((_, index) => !isAdded(table, columns[index] ?? '')).join('\t')
}

/** As another version would have written it: with these migrations in place of ours, and the names of then. */
function writtenBy(migrations: readonly string[], whole: Buffer): Buffer {
  const own = gunzipSync(whole).toString('latin1').split('\n')
  const lines = withoutAdditions(own).map(withEarlierNames)
  const header = JSON.parse(lines[0] ?? '') as { version: string[] }
  const queue = header.version.filter((name) => name.startsWith('job queue '))
  lines[0] = JSON.stringify({ ...header, version: [...migrations, ...queue] })
  const trailer = JSON.parse(lines.at(-2) ?? '') as object
  const rows = `${lines.slice(0, -2).join('\n')}\n`
  const sha256 = createHash('sha256').update(rows, 'latin1').digest('hex')
  return gzipSync(Buffer.from(`${rows}${JSON.stringify({ ...trailer, sha256 })}\n`, 'latin1'))
}

test('of the versions before the schema was one file, the last alone is imported', async ({
  moving: { folder, file, world, emptyDatabase, openAt },
}) => {
  const url = await emptyDatabase()
  const domain = await openAt(url)
  const whole = await readFile(file)
  const path = join(folder, 'of-before')
  const others: [string[], RegExp][] = [
    [earlierMigrations.slice(0, -1), /not by commit [0-9a-f]{12}.*svc-admin migrate, and export/],
    [
      earlierMigrations.toSpliced(1, 1),
      /not by commit [0-9a-f]{12}.*svc-admin migrate, and export/,
    ],
    [[...earlierMigrations, '999_later'], /999_later.*run svc-admin migrate on both/],
    [[...earlierMigrations, '001_schema'], /not by commit/],
  ]
  for (const [migrations, reason] of others) {
    await writeFile(path, writtenBy(migrations, whole))
    await expect(importInto(url, path)).rejects.toThrow(reason)
  }
  await writeFile(path, writtenBy(earlierMigrations, whole))
  await importInto(url, path)
  const before = await rowsOf(world.domain.db)
  const inParts = { ...ofTheServer, ...ofThen }
  expect({ ...(await rowsOf(domain.db)), ...inParts }).toEqual({ ...before, ...inParts })
})

test('an export from before tables and columns were renamed, and others added, is imported', async ({
  moving: { folder, file, world, out, emptyDatabase, openAt },
}) => {
  const url = await emptyDatabase()
  const domain = await openAt(url)
  const path = join(folder, 'of-earlier-names')
  await writeFile(path, writtenBy(['001_schema'], await readFile(file)))
  expect(gunzipSync(await readFile(path)).toString('latin1')).toContain('"webhook_delivery"')
  await importInto(url, path)
  const before = await rowsOf(world.domain.db)
  const inParts = { ...ofTheServer, ...ofThen }
  expect({ ...(await rowsOf(domain.db)), ...inParts }).toEqual({ ...before, ...inParts })
  // the feed has begun anew
  const broken = (await findBroken(domain.db)).map(({ invariant }) => invariant)
  const left = broken.filter((invariant) => /^I-3[02](?! what came to nothing)/.test(invariant))
  expect(left).toEqual([])
  const changes = (person: Person) =>
    person.call('listRunFiles', { id: out.over.id, patches: 'true' })
  const { files } = await changes(world.alice)
  expect(files).toMatchObject([
    { ...changedFiles[0], patch: expect.stringContaining('+a') as string },
  ])
  expect(await changes(personWith(domain, world.alice.token))).toMatchObject({ files })
  const waiting = async (person: Person) =>
    (await person.call('listNeeds', { whose: 'all' })).needs.map(({ kind, id }) => [kind, id])
  const needs = await waiting(world.alice)
  expect(needs.map(([kind]) => kind)).toEqual(['stopped_run'])
  expect(await waiting(personWith(domain, world.alice.token))).toEqual(needs)
  const { usage, launches } = await personWith(domain, world.alice.token).mission(out.mission)
  expect({ usage, launches }).toMatchObject({
    launches: 4,
    usage: { runs: 1, runsOfUnknownTokens: 1, usd: '0.25', seconds: 0 },
  })
})

test('an export without logs is whole but for these, and says how much is not there', async ({
  moving: { folder, exportTo, world, out, emptyDatabase, openAt },
}) => {
  const url = await emptyDatabase()
  const path = join(folder, 'without-logs.gz')
  await exportTo(path, { withoutLogs: true })
  await importInto(url, path)
  const domain = await openAt(url)
  const withoutLogs = { ...ofTheServer, run_log_chunks: null, run_log_sums: null }
  const before = await rowsOf(world.domain.db)
  expect({ ...(await rowsOf(domain.db)), ...withoutLogs }).toEqual({ ...before, ...withoutLogs })
  const alice = personWith(domain, world.alice.token)
  const { bytes, headers } = await alice.call('getRunLog', { id: out.over.id })
  expect(Buffer.from(bytes).toString()).toBe('\n… 6 bytes of output are not kept …\n')
  expect(headers).toMatchObject({ 'x-svc-length': '6' })
})

test('nothing of this version works on a database of before the schema was one file', async ({
  moving: { file, emptyDatabase, openAt },
}) => {
  const url = await emptyDatabase()
  const { db } = await openAt(url)
  await sql`update kysely_migration set name = '001_core' where name = '001_schema'`.execute(db)
  const before = await rowsOf(db)
  const way = /commit [0-9a-f]{12} is the last that reads it: .*svc-admin export.*svc-admin import/
  await expect(importInto(url, file)).rejects.toThrow(way)
  await expect(openAt(url)).rejects.toThrow(way)
  await expect(
    migrate({ databaseUrl: url, secretKeys: environmentOf(url).SVC_SECRET_KEYS }),
  ).rejects.toThrow(way)
  expect(await rowsOf(db)).toEqual(before)
})

test('rows that do not fit together are not imported, and triggers work again afterwards', async ({
  moving: { exportTo, world, folder, emptyDatabase, openAt },
}) => {
  const url = await emptyDatabase()
  const domain = await openAt(url)
  const path = join(folder, 'broken.gz')
  // as no call of the service leaves it: launching without a request
  const { mission } = await world.missionWith(['left alone'])
  const [objective] = mission.objectives
  await sql`update objectives set state = 'launching', prior_state = 'draft' where id = ${objective.id}`.execute(
    world.domain.db,
  )
  await exportTo(path)
  await sql`update objectives set state = 'draft', prior_state = null where id = ${objective.id}`.execute(
    world.domain.db,
  )
  await expect(importInto(url, path)).rejects.toThrow(/Q-12 .*nothing was imported/i)
  await exportTo(path)
  await importInto(url, path)
  await expect(sql`delete from audit_trail`.execute(domain.db)).rejects.toThrow('audit_trail')
  expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([])
})
