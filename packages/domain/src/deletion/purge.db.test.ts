import { furnish } from '../testing/furnished.ts'
import { type World, test } from '../testing/world.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { purgeDeleted, purged } from './purge.ts'

const afterAMonth = 30 * 86_400 + 1

test('every table that tells of a mission, an objective or a run is purged, or kept for a time of its own', async ({
  world,
}) => {
  const { rows } = await sql<{ table_name: string }>`
    select distinct table_name from information_schema.columns
     where table_schema = 'public'
       and column_name in ('mission_id', 'objective_id', 'execution_request_id')`.execute(
    world.domain.db,
  )
  const names = rows.map((row) => row.table_name)
  // the audit trail is kept for a time of its own: of whoever acted by what an agent had for its run, with that run's id
  const others = names.filter((name) => name !== 'audit_trail')
  expect(others.filter((name) => !purged.some((table) => table === name))).toEqual([])
})

/** In how many rows of those tables this mission is. */
async function rowsOf(world: World, id: string) {
  const { db } = world.domain
  const counts: Record<string, number> = {}
  const tables = ['objectives', 'execution_requests', 'agent_sessions', 'artifacts', 'run_diffs']
  for (const table of [...tables, 'mission_events', 'deliveries', 'changed_files']) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(table)} where mission_id = ${id}`.execute(db)
    counts[table] = rows[0]?.count ?? 0
  }
  return counts
}

test(
  'a mission is purged with all that belongs to it 30 days after it was deleted, and no other',
  { tags: 'large' },
  async ({ world }) => {
    const { alice, domain } = world
    const gone = await furnish(world, alice)
    const kept = await furnish(world, alice, { project: gone.project })
    for (const { lease } of [gone, kept]) {
      await alice.call('cancelExecutionRequest', { id: lease.id })
    }
    await world.advance(61)
    await world.settle()
    await alice.call('deleteMissions', { missionIds: [gone.mission.id], confirm: true })
    const before = await rowsOf(world, kept.mission.id)
    await purgeDeleted(domain)
    expect((await rowsOf(world, gone.mission.id))['execution_requests']).toBe(1)

    await world.advance(afterAMonth)
    await purgeDeleted(domain)

    expect(Object.values(await rowsOf(world, gone.mission.id)).filter(Boolean)).toEqual([])
    const { rows } = await sql`select from missions where id = ${gone.mission.id}`.execute(
      domain.db,
    )
    expect(rows).toEqual([])
    expect(await rowsOf(world, kept.mission.id)).toEqual(before)
  },
)

test('an objective that was deleted alone is purged alone, with its delivery', async ({
  world,
}) => {
  const { alice, mission } = await world.missionWith(['done', 'next'])
  const [done, next] = mission.objectives
  await (
    await world.attachedRun(done)
  ).agent.deliver({
    artifacts: [{ type: 'next_steps', label: 'Next', contentText: 'Merge it.' }],
  })
  await alice.call('deleteObjectives', { objectiveIds: [done.id], confirm: true })
  await world.advance(afterAMonth)
  await purgeDeleted(world.domain)
  expect(await rowsOf(world, mission.id)).toMatchObject({ objectives: 1, deliveries: 0 })
  expect((await alice.mission(mission)).objectives.map(({ id }) => id)).toEqual([next.id])
  await expect(alice.call('restoreObjective', { id: done.id })).rejects.toMatchObject({
    code: 'not_found',
  })
})
