import { describe, expect } from 'vitest'
import { sql } from 'kysely'
import { mostEventsLookedThrough } from '../entities/missions/events.ts'
import { newId } from '../common/ids.ts'
import { type World, test } from '../testing/world.ts'

describe('the history of a mission', () => {
  test('is narrowed to types and to an objective', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['one', 'two'], {
      allowParallelObjectives: true,
    })
    const [one, two] = mission.objectives
    const first = await world.attachedRun(one)
    await first.agent.update({ text: 'At one.' })
    const second = await world.attachedRun(two)
    await second.agent.update({ text: 'At two.' })
    await alice.call('createMissionEvent', {
      id: mission.id,
      type: 'ci:passed',
      summary: 'Green',
    })
    const { id } = mission
    const said = async (query: object) =>
      (await alice.call('listMissionEvents', { id, ...query })).events.map((one) => one.summary)

    expect(await said({ types: 'update' })).toEqual(['At two.', 'At one.'])
    expect(await said({ types: 'ci:passed,update' })).toEqual(['Green', 'At two.', 'At one.'])
    expect(await said({ types: 'update', objectiveId: one.displayId })).toEqual(['At one.'])
    const ofTwo = await alice.call('listMissionEvents', { id, objectiveId: two.id })
    expect(new Set(ofTwo.events.map((event) => event.objectiveId))).toEqual(new Set([two.id]))
    expect(ofTwo.events.map((event) => event.type)).toContain('execution_requested')
    expect(await said({ types: 'delivery' })).toEqual([])

    const { mission: other } = await world.missionWith(['elsewhere'])
    await expect(said({ objectiveId: other.objectives[0].id })).rejects.toMatchObject({
      code: 'not_found',
    })
    for (const types of ['nothing', 'update,', 'svc:own']) {
      await expect(said({ types })).rejects.toMatchObject({ name: 'ZodError' })
    }
  })

  test('comes in pages of some of it, that leave none out and repeat none', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    // rare ones at the beginning and at the end of more than a page looks through
    await fill(world, mission.id, 'ci:rare', 2)
    await fill(world, mission.id, 'update', mostEventsLookedThrough)
    await fill(world, mission.id, 'ci:rare', 3)
    const pages: number[] = []
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await alice.call('listMissionEvents', {
        id: mission.id,
        types: 'ci:rare',
        limit: 2,
        ...(cursor !== undefined && { cursor }),
      })
      pages.push(page.events.length)
      found.push(...page.events.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(new Set(found).size).toBe(5)
    expect(found).toHaveLength(5)
    expect(pages).toEqual([2, 1, 2])
  })
})

async function fill(world: World, missionId: string, type: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => newId())
  await sql`
    insert into mission_events (workspace_id, id, mission_id, type, summary, actor_role)
    select ${world.workspaceId}, id, ${missionId}, ${type}, 'Filled', 'agent'
      from unnest(${ids}::uuid[]) as id`.execute(world.domain.db)
}
