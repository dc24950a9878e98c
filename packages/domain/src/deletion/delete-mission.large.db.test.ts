import { test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { remove, missionsOf } from './testing/deleting-missions.ts'

describe('deleting missions', () => {
  test('at once in two orders, with launches and claims between them, leaves nothing queued', async ({
    world,
  }) => {
    const { alice } = world
    for (let round = 0; round < 4; round += 1) {
      const missions = await missionsOf(world, 6)
      const [first] = missions
      const runner = await world.connectedRunner({ id: first?.projectId ?? '' })
      const outcomes = await Promise.allSettled([
        remove(alice, missions.slice(0, 4)),
        ...missions.flatMap(({ objectives }) => objectives.map((one) => alice.launch(one))),
        runner.claim(),
        remove(alice, missions.slice(2).toReversed()),
      ])
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') {
          expect(['not_found', 'confirmation_required', 'mission_busy']).toContain(
            outcome.reason.code,
          )
        }
      }
      const { rows } = await sql<{ left: number }>`
        select count(*)::int as left from execution_requests r
          join objectives o on o.workspace_id = r.workspace_id and o.id = r.objective_id
         where o.deleted_at is not null and r.status in ('queued', 'claimed')`.execute(
        world.domain.db,
      )
      expect(rows[0]?.left).toBe(0)
    }
  })
})
