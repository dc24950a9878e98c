import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExportInput, ImportInput, runExport, runImport } from '@svc/admin/transfer'
import type { Database } from '@svc/db/database'
import { inTransaction } from '@svc/domain/commit/transaction'
import { startSignIn } from '@svc/domain/people/sign-ins'
import { createTestDatabase } from '@svc/testing/database'
import { openReceiver } from '@svc/testing/receiver'
import { enrol } from '@svc/domain/testing/enrol'
import { furnish } from '@svc/domain/testing/furnished'
import { personWith } from '@svc/domain/testing/people'
import { openWorld } from '@svc/domain/testing/world'
import { openDomainOf } from '@svc/service/domain'
import { openOutbound } from '@svc/outbound/open-outbound'
import { sql } from 'kysely'
import { expect, test as base } from 'vitest'
import { environmentOf, log, say } from './transfer-environment.ts'

/** Two workspaces at work in one service, and one of them in a database of its own. */
// oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
const test = base.extend('moved', { scope: 'file' }, async ({}, { onCleanup }) => {
  const opened = new AsyncDisposableStack()
  onCleanup(() => opened.disposeAsync())
  const folder = await mkdtemp(join(tmpdir(), 'svc-export-'))
  opened.defer(() => rm(folder, { recursive: true }))
  const source = opened.use(await createTestDatabase())
  const world = opened.use(await openWorld(source.connectionString))
  const receiver = opened.use(await openReceiver())
  const domain = { ...world.domain, outbound: openOutbound(['*@127.0.0.1']) }
  const admins = [world.alice, world.carla].map(({ token }) => personWith(domain, token))
  for (const admin of admins) await furnish({ domain, receiver }, admin)
  // one who is in both, with what is nobody's but hers
  const dora = await enrol(domain, { workspace: 'here', name: 'dora', role: 'member' })
  await enrol(domain, { workspace: 'elsewhere', name: 'dora', role: 'member' })
  const { userId } = await dora.actor()
  await inTransaction({ domain }, (tx) =>
    startSignIn(tx, domain.keys, { userId, browser: 'a browser', from: undefined, by: 'a test' }),
  )
  const environment = environmentOf(source.connectionString)
  const { slug } = (
    await domain.db
      .selectFrom('workspaces')
      .select('slug')
      .where('id', '=', world.workspaceId)
      .execute()
  )[0] ?? { slug: '' }
  const exportTo = (file: string, workspace: string) =>
    runExport(environment, { log, input: ExportInput.parse({ file, workspace }), say })
  const file = join(folder, 'one.gz')
  await exportTo(file, slug)
  const url = opened.use(await createTestDatabase()).connectionString
  await runImport(environmentOf(url), { input: ImportInput.parse({ file }), say })
  const there = opened.use(await openDomainOf(environmentOf(url), { log }))
  return { world, folder, exportTo, there }
})

/** How many rows of each table are of this workspace, and how many are of others; the catalogue's names. */
async function countOf(db: Database, workspaceId: string) {
  const { rows: tables } = await sql<{ name: string; of: string }>`
    select c.oid::regclass::text as name,
           case when c.relname = 'workspaces' then 'id'
                when c.oid = 'pgboss.job'::regclass then '(data->>''workspaceId'')::uuid'
                else 'workspace_id' end as of
      from pg_class c
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
           and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'workspace_id')
        or c.oid in ('pgboss.job'::regclass, 'workspaces'::regclass) order by 1`.execute(db)
  const counted: Record<string, { own: number; others: number }> = {}
  for (const { name, of } of tables) {
    const { rows } = await sql<{ own: number; others: number }>`
      select (count(*) filter (where ${sql.raw(of)} = ${workspaceId}))::int as own,
             (count(*) filter (where ${sql.raw(of)} is distinct from ${workspaceId}))::int as others
        from ${sql.raw(name)}`.execute(db)
    if (rows[0]) counted[name] = rows[0]
  }
  return counted
}

/** The import begins the feed anew. */
const ofTheServer = { entity_changes: null, run_log_ends: null }

test('the export of a workspace has all rows of that one, and none of another', async ({
  moved: { world, there },
}) => {
  const before = await countOf(world.domain.db, world.workspaceId)
  const after = await countOf(there.db, world.workspaceId)
  const alone = Object.fromEntries(
    Object.entries(before).map(([name, { own }]) => [name, { own, others: 0 }]),
  )
  expect({ ...after, ...ofTheServer }).toEqual({ ...alone, ...ofTheServer })
  // there was something that could have come along
  const shared = ['missions', 'execution_requests', 'webhook_subscriptions', 'user_tokens']
  for (const table of shared) expect(before[table]?.others).toBeGreaterThan(0)
})

test('people come along who are named in it, without what is theirs apart from it', async ({
  moved: { world, there },
}) => {
  const { db } = world.domain
  const members = await db
    .selectFrom('users as u')
    .innerJoin('memberships as m', 'm.user_id', 'u.id')
    .where('m.workspace_id', '=', world.workspaceId)
    .select('u.name')
    .orderBy('u.name')
    .execute()
  const named = await there.db.selectFrom('users').select('name').orderBy('name').execute()
  expect(named).toEqual(members)
  expect(named.map(({ name }) => name)).toContain('dora')
  for (const table of ['sign_ins', 'user_passwords', 'user_identities', 'reset_links'] as const) {
    expect(await there.db.selectFrom(table).selectAll().execute()).toEqual([])
  }
  const { rows } = await sql`select from sign_ins`.execute(world.domain.db)
  expect(rows).not.toEqual([])
})

test('what was imported goes to work', async ({ moved: { world, there } }) => {
  const alice = personWith(there, world.alice.token)
  const { missions } = await alice.call('listMissions', {})
  expect(missions).not.toEqual([])
  const [first] = missions
  if (!first) throw new Error('a mission came')
  await alice.call('addObjectives', { id: first.id, objectives: [{ instruction: 'one more' }] })
  await expect(personWith(there, world.carla.token).actor()).rejects.toMatchObject({
    code: 'unauthenticated',
  })
})

test('a workspace that is not there is refused, and nothing is written', async ({
  moved: { folder, exportTo },
}) => {
  await expect(exportTo(join(folder, 'none.gz'), 'nowhere')).rejects.toThrow(
    'There is no workspace nowhere: nothing was exported.',
  )
})
