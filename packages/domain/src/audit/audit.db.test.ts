import { personWith } from '../testing/people.ts'
import { type World, test } from '../testing/world.ts'
import { ensureWorkspace, issueToken } from '../workspaces/set-up/set-up.ts'
import { recordAudit } from './record.ts'
import { inTransaction } from '../commit/transaction.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'

const newest = async (world: World, count = 1) =>
  (await world.alice.call('listAudit', { limit: count })).entries

describe('the audit trail', () => {
  test('tells who minted and revoked a token, by which token, and never its secret', async ({
    world,
  }) => {
    const { alice } = world
    const { userId, credential: used } = await alice.actor()
    const made = await alice.call('createUserToken', { label: 'laptop', preset: 'runner' })
    await alice.call('revokeUserToken', { id: made.userToken.id })
    const recorded = await newest(world, 2)
    const actor = { id: userId, name: 'alice' }
    const common = { actor, tokenPrefix: used.prefix, targetId: made.userToken.id }
    expect(recorded).toMatchObject([
      { ...common, action: 'token.revoked', details: { label: 'laptop', minted: [] } },
      {
        ...common,
        action: 'token.minted',
        details: { label: 'laptop', preset: 'runner', prefix: made.userToken.prefix },
      },
    ])
    expect(JSON.stringify(recorded)).not.toContain(made.token)
  })

  test('tells of a revocation once, with all that goes with it', async ({ world }) => {
    const { userToken, token } = await world.alice.call('createUserToken', {
      label: 'parent',
      preset: 'full',
    })
    const child = await issued(world, token)
    const revoke = () => world.alice.call('revokeUserToken', { id: userToken.id })
    await Promise.all([revoke(), revoke(), revoke()])
    const { entries } = await world.alice.call('listAudit', { action: 'token.revoked' })
    const ofIt = entries.filter((one) => one.targetId === userToken.id)
    expect(ofIt).toMatchObject([{ details: { minted: [child] } }])
  })

  test('names nobody for what was done on the server', async ({ world }) => {
    const { userId } = await world.alice.actor()
    const { workspaceId } = world
    const order = {
      workspaceId,
      userId,
      label: 'by hand',
      preset: 'full',
      expiresInDays: 1,
    } as const
    await issueToken(world.domain, order)
    expect(await newest(world)).toMatchObject([
      { actor: null, tokenPrefix: null, from: null, details: { label: 'by hand' } },
    ])
  })

  test('says from where a call came', async ({ world }) => {
    const { alice, domain } = world
    const actor = await alice.actor()
    const facts = { action: 'token.minted', targetId: actor.credential.id, details: {} } as const
    const context = { domain, from: '192.0.2.7' }
    await inTransaction(context, async (tx) => recordAudit(tx, context, actor, facts))
    expect(await newest(world)).toMatchObject([{ from: '192.0.2.7' }])
  })

  test('is told in pages that leave none out', async ({ world }) => {
    const reader = await world.person('admin')
    for (const label of ['a', 'b', 'c'])
      await reader.call('createUserToken', { label, preset: 'read_only' })
    const labels: unknown[] = []
    let cursor: string | undefined
    do {
      const page = await reader.call('listAudit', { limit: 1, ...(cursor && { cursor }) })
      labels.push(...page.entries.map((one) => one.details['label']))
      cursor = page.nextCursor
    } while (cursor && labels.length < 3)
    expect(labels).toEqual(['c', 'b', 'a'])
    await expect(reader.call('listAudit', { cursor: 'x' })).rejects.toMatchObject({
      code: 'validation_failed',
    })
  })

  test('is for admins of the workspace, and of a project what is of that project', async ({
    world,
  }) => {
    for (const person of [world.bob, world.vera]) {
      await expect(person.call('listAudit', {})).rejects.toMatchObject({ code: 'forbidden' })
    }
    const { entries } = await world.carla.call('listAudit', {})
    expect(entries.every((one) => one.actor?.name !== 'alice')).toBe(true)
    const project = await world.projectWith()
    const bound = await world.alice.withToken({ preset: 'full', projectIds: [project.id] })
    expect((await bound.call('listAudit', {})).entries).toEqual([])
  })

  test.for([
    'update audit_trail set details = default',
    `update audit_trail set action = 'x' where false`,
    'delete from audit_trail',
    'truncate audit_trail',
  ])('stays as it was written: %s', async (statement, { world }) => {
    await expect(sql.raw(statement).execute(world.domain.db)).rejects.toThrow('only ever added')
  })

  test('keeps what a deleted workspace leaves behind', async ({ world }) => {
    const workspaceId = await ensureWorkspace(world.domain, { slug: 'gone', name: 'Gone' })
    const context = { domain: world.domain }
    const actor = { ...(await world.alice.actor()), workspaceId }
    const facts = { action: 'token.minted', targetId: workspaceId, details: {} } as const
    await inTransaction(context, async (tx) => recordAudit(tx, context, actor, facts))
    await sql`delete from workspaces where id = ${workspaceId}`.execute(world.domain.db)
    const { rows } = await sql`
      select from audit_trail where workspace_id = ${workspaceId}`.execute(world.domain.db)
    expect(rows).toHaveLength(1)
  })
})

async function issued(world: World, parent: string): Promise<string> {
  const order = { label: 'child', preset: 'read_only' } as const
  const { userToken } = await personWith(world.domain, parent).call('createUserToken', order)
  return userToken.id
}
