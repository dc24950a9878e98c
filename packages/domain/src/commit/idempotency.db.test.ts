import { withFault } from '@svc/testing/faults'
import { type World, test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { purgeExpired } from '../sweep/purge-expired.ts'

describe('one idempotency key', () => {
  test('is one effect and one answer', { tags: 'large' }, async ({ world }) => {
    const project = await world.projectWith()
    const create = () =>
      world.alice.call(
        'createMission',
        { projectId: project.id, title: 'once' },
        { idempotencyKey: 'same-answer' },
      )
    const first = await create()
    const again = await world.rowsWrittenBy(async () =>
      expect(JSON.stringify(await create())).toBe(JSON.stringify(first)),
    )
    expect(again).toEqual({ rows: [], refusal: undefined })
    expect(await missionsOf(world, project)).toHaveLength(1)
  })

  test('among 16 at once is one effect and one answer', { tags: 'large' }, async ({ world }) => {
    const project = await world.projectWith()
    const create = () =>
      world.alice.call(
        'createMission',
        { projectId: project.id, title: 'once' },
        { idempotencyKey: 'at-once' },
      )
    const answers = await Promise.all(Array.from({ length: 16 }, create))
    expect(new Set(answers.map((one) => one.mission.id)).size).toBe(1)
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(await missionsOf(world, project)).toHaveLength(1)
  })

  test('with another body is refused', async ({ world }) => {
    const project = await world.projectWith()
    const create = (title: string) =>
      world.alice.call(
        'createMission',
        { projectId: project.id, title },
        { idempotencyKey: 'other-body' },
      )
    await create('first')
    const written = await world.rowsWrittenBy(() => create('second'))
    expect(written).toMatchObject({ rows: [], refusal: { code: 'idempotency_mismatch' } })
  })

  test('of a refused call is free again', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'])
    const [a, b] = mission.objectives
    const { agent } = await world.attachedRun(a)
    const launch = () =>
      alice.call('launchObjective', { id: b.id, agent: 'scripted' }, { idempotencyKey: 'refused' })
    const refused = await world.rowsWrittenBy(launch)
    expect(refused).toMatchObject({ rows: [], refusal: { code: 'mission_busy' } })
    await agent.deliver()
    expect((await launch()).objective.state).toBe('launching')
  })

  test('of a call that crashed is free again', async ({ world }) => {
    const project = await world.projectWith()
    const create = () =>
      world.alice.call(
        'createMission',
        { projectId: project.id, title: 'x' },
        { idempotencyKey: 'crashed' },
      )
    const fault = { table: 'entity_changes', operation: 'insert' } as const
    await expect(withFault(world.domain.db, fault, create)).rejects.toThrow('made to fail')
    expect(await missionsOf(world, project)).toHaveLength(0)
    await create()
    expect(await missionsOf(world, project)).toHaveLength(1)
  })

  test('is another one for another person and for another route', async ({ world }) => {
    const project = await world.projectWith()
    const order = { projectId: project.id, title: 'x' }
    const idempotencyKey = 'scoped'
    const mine = await world.alice.call('createMission', order, { idempotencyKey })
    const theirs = await world.bob.call('createMission', order, { idempotencyKey })
    expect(theirs.mission.id).not.toBe(mine.mission.id)
    await world.alice.call('createProject', { name: 'Scoped' }, { idempotencyKey })
  })

  test('is not that of another token of the same person, which may see less', async ({ world }) => {
    const project = await world.projectWith()
    const order = { projectId: project.id, title: 'x' }
    const first = await world.alice.call('createMission', order, { idempotencyKey: 'two-tokens' })
    const other = await world.alice.withPreset('mission_lifecycle')
    const second = await other.call('createMission', order, { idempotencyKey: 'two-tokens' })
    expect(second.mission.id).not.toBe(first.mission.id)
  })

  test('is kept for 24 hours', async ({ world }) => {
    const project = await world.projectWith()
    const create = () =>
      world.alice.call(
        'createMission',
        { projectId: project.id, title: 'x' },
        { idempotencyKey: 'a-day' },
      )
    const first = await create()
    await world.advance(23 * 3600)
    await purgeExpiredKeys(world)
    expect(await create()).toEqual(first)
    await world.advance(2 * 3600)
    await purgeExpiredKeys(world)
    expect((await create()).mission.id).not.toBe(first.mission.id)
  })
})

describe('an answer that holds a secret', () => {
  test('is packed before it is sealed', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const answer = await world
      .agentOf(alice, { missionId: mission.id })
      .attach({}, { idempotencyKey: 'packed' })
    const { rows } = await sql<{ bytes: number }>`
      select octet_length(answer_secret)::int as bytes from idempotency_keys
       where answer_secret is not null order by created_at desc limit 1`.execute(world.domain.db)
    expect(rows[0]?.bytes).toBeLessThan(JSON.stringify(answer).length / 2)
  })

  test('of an earlier version, which kept it as it is, is given again', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const agent = world.agentOf(alice, { missionId: mission.id })
    const attach = () => agent.attach({}, { idempotencyKey: 'earlier' })
    const first = await attach()
    const { keys, db } = world.domain
    const { workspaceId: workspace } = await alice.actor()
    const { owner, route, key_hash } = await db
      .selectFrom('idempotency_keys')
      .select(['owner', 'route', 'key_hash'])
      .where('workspace_id', '=', workspace)
      .where('answer_secret', 'is not', null)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const context = `idempotency_keys ${workspace} ${owner} ${route} ${key_hash.toString('hex')}`
    const kept = keys.seal('stored-answers', context, JSON.stringify({ answer: first }))
    const { numAffectedRows } =
      await sql`update idempotency_keys set answer_secret = ${kept} where key_hash = ${key_hash}`.execute(
        db,
      )
    expect(numAffectedRows).toBe(1n)
    expect(await attach()).toEqual(first)
  })

  test('is kept sealed for 10 minutes, after that a repeat does nothing', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const agent = world.agentOf(alice, { missionId: mission.id })
    const attach = () => agent.attach({}, { idempotencyKey: 'secret' })
    const first = await attach()
    expect(await attach()).toEqual(first)
    const { rows } = await sql<{
      row: string
    }>`select to_jsonb(k)::text as row from idempotency_keys k where answer_secret is not null`.execute(
      world.domain.db,
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(first.sessionKey)

    await world.advance(9 * 60)
    await purgeExpiredKeys(world)
    expect(await attach()).toEqual(first)
    await world.advance(2 * 60)
    await purgeExpiredKeys(world)

    const late = await world.rowsWrittenBy(attach)
    expect(late).toMatchObject({ rows: [], refusal: { code: 'idempotency_expired' } })
  })
})

function purgeExpiredKeys({ domain }: World): Promise<number> {
  return purgeExpired(domain, 'each minute')
}

async function missionsOf(world: World, project: { id: string }) {
  return (await world.alice.call('listMissions', { projectId: project.id })).missions
}
