import { type Hooked, test } from '../testing/hooked-world.ts'
import { type RawBuilder, sql } from 'kysely'
import { describe, expect } from 'vitest'
import { oldestId } from '../common/ids.ts'
import { purgeExpired, statementsFor } from './purge-expired.ts'
import { type Retained, retention } from './retention.ts'

interface Owner {
  workspaceId: string
  userId: string
  subscriptionId: string
}

const bytes = sql`decode(md5(random()::text), 'hex')`
const uuid = sql`gen_random_uuid()`
const request = {
  id: uuid,
  handle_hash: bytes,
  client_id: 'x',
  client_name: 'x',
  redirect_uri: 'x',
  code_challenge: 'x',
  resource: 'x',
}
const key = {
  workspace_id: uuid,
  owner: uuid,
  route: 'x',
  key_hash: bytes,
  body_hash: bytes,
  answer_secret: bytes,
}

/** What a row of each kind has in addition to its time. */
const made: Record<string, (owner: Owner) => Record<string, unknown>> = {
  'failed tries to sign in': () => ({ bucket: bytes, failures: 1 }),
  'who went to an OpenID provider and did not come back': () => ({
    secret_hash: bytes,
    provider: 'x',
    next: '/',
  }),
  'answers that hold a secret': () => key,
  'keys of calls, with their answers': () => key,
  'changes of the feed': () => ({
    workspace_id: uuid,
    entity: 'mission',
    entity_id: uuid,
    operation: 'x',
  }),
  'entries of the audit trail': ({ workspaceId }) => ({
    workspace_id: workspaceId,
    id: uuid,
    action: 'token.minted',
    target_id: uuid,
    details: '{}',
  }),
  'sums of what runs used in a week': ({ workspaceId }) => ({
    workspace_id: workspaceId,
    project_id: uuid,
    agent: 'x',
    model: '',
    runs: 1,
    runs_without_usd: 0,
    runs_without_tokens: 0,
    input_tokens: 0,
    output_tokens: 0,
    millionths: 1,
    seconds: 1,
  }),
  'sign-ins': ({ userId }) => ({
    id: uuid,
    user_id: userId,
    secret_hmac: bytes,
    hmac_kid: 'x',
    browser: 'x',
  }),
  'requests for access that nobody allowed': () => request,
  'requests for access': () => ({ ...request, code_hash: bytes, grant_id: uuid }),
  'access that was approved and never fetched': ({ workspaceId, userId }) => ({
    workspace_id: workspaceId,
    id: uuid,
    user_id: userId,
    kind: 'oauth',
    scope_kind: 'scoped',
    audiences: sql`'{mcp}'`,
    prefix: 'x',
    label: 'x',
  }),
  'applications that nobody uses': () => ({
    id: sql`${uuid}::text`,
    name: 'x',
    redirect_uris: sql`'{}'`,
  }),
  invitations: ({ workspaceId, userId }) => ({
    workspace_id: workspaceId,
    id: uuid,
    email: sql`${uuid} || '@example.com'`,
    role: 'member',
    invited_by: userId,
    secret_hash: bytes,
  }),
  'links to set a new password': ({ userId }) => ({ user_id: userId, secret_hash: bytes }),
  'requests of a command line to be signed in': () => ({
    id: uuid,
    challenge: bytes,
    handle_hash: bytes,
    code: 'x',
    device: 'x',
    network: 'x',
  }),
  'runners for one launch alone that are gone and that no run names': ({
    workspaceId,
    userId,
  }) => ({
    workspace_id: workspaceId,
    id: uuid,
    user_id: userId,
    fingerprint: sql`${uuid}::text`,
    label: 'x',
    platform: 'x',
    arch: 'x',
    instance_id: uuid,
    version: 'x',
    agents: '[]',
    capacity: '{}',
    ephemeral: true,
    last_heard_at: sql`app.now()`,
    removed_at: sql`app.now()`,
  }),
  'attempts to send an event': ({ workspaceId }) => ({
    workspace_id: workspaceId,
    job_id: uuid,
    claim: 0,
    attempt: 1,
    trigger: 'schedule',
    outcome: 'delivered',
  }),
  'bodies of events': ({ workspaceId }) => ({ workspace_id: workspaceId, mode: 'thin', bytes }),
  events: ({ workspaceId }) => ({
    workspace_id: workspaceId,
    project_id: uuid,
    mission_id: uuid,
    type: 'x',
    snapshot: '{}',
    fanned_out_at: sql`app.now()`,
  }),
  'deliveries of events': ({ workspaceId, subscriptionId }) => ({
    workspace_id: workspaceId,
    subscription_id: subscriptionId,
    kind: 'event',
    event_id: uuid,
    event_type: 'x',
    mode: 'thin',
    state: 'delivered',
    epoch: 0,
  }),
}

/** Where the period of a row ends, and times before and after that, as this column holds them. */
async function endOf({ domain: { db, auditDays } }: Hooked, row: Retained) {
  if ('since' in row) {
    if ('setting' in row) {
      const { rows } = await sql<{ at: string }>`
        select app.audit_kept_since(${auditDays})::text as at`.execute(db)
      return around(row.since, rows[0]?.at)
    }
    const period = Object.entries(row.kept ?? { mins: 0 })
      .map(([unit, length]) => `${length} ${unit}`)
      .join(' ')
    const { rows } = await sql<{ at: string }>`
      select (app.now() - ${period}::interval)::text as at`.execute(db)
    return around(row.since, rows[0]?.at)
  }
  const { rows } = await sql<{ now: Date }>`select app.now() as now`.execute(db)
  const id = (days: number) => sql`${rows[0] && oldestId(rows[0].now, days)}::uuid`
  const { days } = row.kept
  return { column: row.idOf, at: id(days), before: id(days + 1), after: id(days - 1) }
}

function around(column: string, moment: string | undefined) {
  const at = sql`${moment}::timestamptz`
  const minute = sql`interval '1 minute'`
  return { column, at, before: sql`${at} - ${minute}`, after: sql`${at} + ${minute}` }
}

async function insert({ domain: { db } }: Hooked, table: string, values: Record<string, unknown>) {
  const names = Object.keys(values).map((name) => sql.ref(name))
  await sql`
    insert into ${sql.table(table)} (${sql.join(names)})
    values (${sql.join(Object.values(values))})`.execute(db)
}

async function makeBoth(hooked: Hooked, row: Retained) {
  const { world, subscribe } = hooked
  const end = await endOf(hooked, row)
  const { id: subscriptionId } = await subscribe()
  const { workspaceId } = world
  const owners = [await world.alice.actor(), await world.carla.actor()]
  for (const [nth, moment] of [end.before, end.after].entries()) {
    const owner = { workspaceId, userId: owners[nth]?.userId ?? '', subscriptionId }
    const values = made[row.what]?.(owner)
    if (!values) throw new Error(`nothing is known of ${row.what}`)
    await insert(hooked, row.table, { ...values, [end.column]: moment })
  }
  return end
}

describe.each(retention)('$what', (row) => {
  test('go once their time is over, and not before', async ({ hooked }) => {
    const { domain } = hooked
    const { column, at } = await makeBoth(hooked, row)
    const counted = async (which: RawBuilder<unknown>) => {
      const { rows } = await sql<{ old: number; young: number; all: number }>`
        select (count(*) filter (where ${which} and ${sql.ref(column)} < ${at}))::int as old,
               (count(*) filter (where ${which} and ${sql.ref(column)} > ${at}))::int as young,
               count(*)::int as all
          from ${sql.table(row.table)}`.execute(domain.db)
      return rows[0]
    }
    const which = row.clears ? sql`${sql.ref(row.clears)} is not null` : sql`true`
    const before = await counted(which)
    expect(before?.old).toBe(1)
    expect(before?.young).toBeGreaterThan(0)

    expect(await purgeExpired(domain, row.pass)).toBeGreaterThan(0)

    // that of the audit trail adds an entry of its own
    const told = 'setting' in row ? 1 : 0
    const all = (before?.all ?? 0) - (row.clears ? 0 : 1) + told
    expect(await counted(which)).toEqual({ old: 0, young: (before?.young ?? 0) + told, all })
    expect(await purgeExpired(domain, row.pass)).toBe(0)
  })

  test('are found by their index', async ({ hooked: { domain } }) => {
    const [statement] = await statementsFor(domain, row)
    const tx = await domain.db.startTransaction().execute()
    // also where there is no such index: the pool is not closed before its connection comes back
    await using _undone = { [Symbol.asyncDispose]: () => tx.rollback().execute() }
    // a table this small it would rather read from end to end, or by whichever index comes first
    await sql`set local enable_seqscan = off`.execute(tx)
    await sql`
      update pg_index set indisvalid = false
       where indrelid = ${row.table}::regclass and indexrelid <> ${row.index}::regclass`.execute(tx)
    const { rows } = await sql`explain (format json) ${statement}`.execute(tx)
    const column = 'since' in row ? row.since : row.idOf
    const found = new RegExp(`"Index Name":"${row.index}"[^{}]*"Index Cond":"[^"]*${column} < `)
    expect(JSON.stringify(rows)).toMatch(found)
  })
})

test('what cannot go keeps nothing else from it, and is said', async ({ hooked }) => {
  const { db } = hooked.domain
  const pass = retention.filter((row) => row.pass === 'each hour')
  for (const row of pass.filter(({ table }) => /sign_ins|invitations/.test(table)))
    await makeBoth(hooked, row)
  await sql`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise 'not this one'; end $$`.execute(db)
  await sql`
    create trigger refuse before delete on sign_ins for each row execute function refuse()`.execute(
    db,
  )
  await expect(purgeExpired(hooked.domain, 'each hour')).rejects.toMatchObject({
    errors: [{ message: 'what is too old stays: sign-ins', cause: { message: 'not this one' } }],
  })
  expect(
    (await sql`select from invitations where expires_at < app.now()`.execute(db)).rows,
  ).toEqual([])
})
