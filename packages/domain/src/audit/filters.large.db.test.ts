import type { RouteRequest } from '@svc/contracts/rest'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { inTransaction } from '../commit/transaction.ts'
import type { Actor } from '../common/actor.ts'
import { newId } from '../common/ids.ts'
import { followFeed } from '../testing/follow-feed.ts'
import { tokenFromOAuth } from '../testing/granted.ts'
import { type World, test } from '../testing/world.ts'
import { recordAudit, recordAuditOfPerson, recordAuditOfServer } from './record.ts'

type Asked = RouteRequest<'listAudit'>

/** All pages of it, and how many there were. */
async function readAll({ alice }: World, asked: Asked) {
  const labels: unknown[] = []
  let pages = 0
  for (let cursor: string | undefined; ;) {
    const page = await alice.call('listAudit', { ...asked, ...(cursor && { cursor }) })
    pages += 1
    labels.push(...page.entries.map(({ details }) => details['label']))
    cursor = page.nextCursor
    if (!cursor) return { labels, pages }
  }
}

async function actAs(world: World, actor: Actor, label: string, targetId = newId()) {
  const context = { domain: world.domain }
  const facts = { action: 'token.minted', targetId, details: { label } } as const
  await inTransaction(context, async (tx) => recordAudit(tx, context, actor, facts))
  return targetId
}

describe('of the audit trail one may ask for', () => {
  test('what somebody did, what was done to something, one action and a time, alone and together', async ({
    world,
  }) => {
    const reader = world.alice
    const people = await Promise.all(['member', 'member'].map(() => world.person('member')))
    const [ann, ben] = await Promise.all(people.map(({ actor }) => actor()))
    if (!ann || !ben) throw new Error('there are two')
    const shared = newId()
    await actAs(world, ann, 'ann 1')
    await world.advance(60)
    const since = await momentOf(world)
    await actAs(world, ann, 'ann 2', shared)
    await actAs(world, ben, 'ben 1', shared)
    await world.advance(60)
    const before = await momentOf(world)
    await actAs(world, ben, 'ben 2')
    const { userToken } = await world.alice.call('createUserToken', { label: 'x', preset: 'full' })
    const labelsOf = async (asked: Asked) => (await readAll(world, asked)).labels

    expect(await labelsOf({ actorId: ann.userId })).toEqual(['ann 2', 'ann 1'])
    expect(await labelsOf({ targetId: shared })).toEqual(['ben 1', 'ann 2'])
    expect(await labelsOf({ actorId: ann.userId, targetId: shared })).toEqual(['ann 2'])
    expect(await labelsOf({ actorId: ben.userId, since })).toEqual(['ben 2', 'ben 1'])
    expect(await labelsOf({ since, before })).toEqual(['ben 1', 'ann 2'])
    expect(await labelsOf({ action: 'token.minted', since, before, limit: 1 })).toEqual([
      'ben 1',
      'ann 2',
    ])
    expect(await labelsOf({ actorId: ann.userId, action: 'token.revoked' })).toEqual([])
    expect(await labelsOf({ targetId: userToken.id, actorId: ben.userId })).toEqual([])
    await expect(reader.call('listAudit', { since: '0000-01-01T00:00:00Z' })).rejects.toThrow(
      'use a time after the year 0',
    )
  })

  test('in pages that look through 5,000 entries of several filters each, and leave none out', async ({
    world,
  }) => {
    const { workspaceId } = world
    const person = await world.person('member')
    const { userId } = await person.actor()
    const write = (from: number, count: number, action: string) =>
      sql`
      insert into audit_trail (workspace_id, id, created_at, actor_id, action, target_id, details)
      select ${workspaceId}, gen_random_uuid(), app.now() - interval '1 day' - make_interval(secs => ${from}::int + n),
             ${userId}, ${action}, ${userId}, jsonb_build_object('label', ${from}::int + n)
        from generate_series(1, ${count}::int) n`.execute(world.domain.db)
    await write(0, 6_000, 'sign_in.started')
    await write(6_000, 2, 'password.changed')
    await write(7_000, 5_000, 'sign_in.started')
    const asked = { actorId: userId, action: 'password.changed' } as const
    const first = await world.alice.call('listAudit', asked)
    expect([first.entries, first.nextCursor]).toEqual([[], expect.any(String)])
    expect(await readAll(world, asked)).toEqual({ labels: [6_001, 6_002], pages: 3 })
    expect(await readAll(world, { ...asked, limit: 1 })).toMatchObject({ labels: [6_001, 6_002] })
  })
})

test('an entry tells by what somebody acted', async ({ world }) => {
  const { alice, domain, workspaceId } = world
  const context = { domain }
  const actor = await alice.actor()
  const runner = await (await alice.withPreset('runner')).actor()
  await tokenFromOAuth(domain, { workspaceId, userId: actor.userId })
  const requestId = newId()
  const run = { kind: 'run', run: { requestId, generation: 1 } } as const
  const signIn = { kind: 'sign_in', prefix: null } as const
  const targetId = newId()
  const ofGrant = { ...actor, credential: { ...actor.credential, id: await grantOf(world) } }
  for (const one of [
    actor,
    runner,
    ofGrant,
    { ...actor, credential: { ...actor.credential, ...run } },
    { ...actor, credential: { ...actor.credential, ...signIn } },
  ]) {
    await actAs(world, one, 'x', targetId)
  }
  const facts = { action: 'sign_in.failed', targetId, details: {} } as const
  await inTransaction(context, async (tx) => {
    await recordAuditOfPerson(tx, {}, actor.userId, facts)
    await recordAuditOfPerson(tx, {}, actor.userId, { ...facts, isProven: false })
    recordAuditOfServer(tx, workspaceId, facts)
  })
  const { entries } = await alice.call('listAudit', { targetId })
  const none = { label: null, executionRequestId: null }
  expect(entries.map(({ by }) => by).toReversed()).toEqual(
    expect.arrayContaining([
      { ...none, kind: 'token', label: expect.any(String) },
      { ...none, kind: 'runner', label: 'minted' },
      { ...none, kind: 'application', label: 'An application' },
      { kind: 'run', label: expect.any(String), executionRequestId: requestId },
      { ...none, kind: 'browser' },
      null,
    ]),
  )
  expect(entries.filter(({ by }) => by === null)).toHaveLength(2)
})

test('whoever may read the trail is told by the feed that it has grown, and nobody else', async ({
  world,
}) => {
  const { alice, bob } = world
  const [admin, member] = [await followFeed(world, alice), await followFeed(world, bob)]
  const { userToken } = await alice.call('createUserToken', { label: 'told', preset: 'full' })
  const { entries } = await alice.call('listAudit', { targetId: userToken.id })
  const told = await admin.change({ entity: 'audit_entry', operation: 'token.minted' })
  expect(told.data.entityId).toBe(entries[0]?.id)
  const { project } = await alice.call('createProject', { name: 'After it' })
  const seen: unknown[] = []
  for (;;) {
    const [event] = await member.take(1)
    if (event?.event === 'change') seen.push(event.data.entity)
    if (event?.event === 'change' && event.data.entityId === project.id) break
  }
  expect(seen).not.toContain('audit_entry')
  await admin.close()
  await member.close()
})

async function momentOf({ domain }: World): Promise<string> {
  const { rows } = await sql<{ at: Date }>`select app.now() as at`.execute(domain.db)
  return rows[0]?.at.toISOString() ?? ''
}

/** The token of an application that alice has let in. */
async function grantOf({ domain, alice }: World): Promise<string> {
  const { userId } = await alice.actor()
  const { rows } = await sql<{ id: string }>`
    select id from user_tokens where user_id = ${userId} and kind = 'oauth'`.execute(domain.db)
  return rows[0]?.id ?? ''
}
