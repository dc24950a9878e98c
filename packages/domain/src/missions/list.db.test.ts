import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

describe('the list of missions', () => {
  test('is the newest first, of one project or of those that the token is bound to', async ({
    world,
  }) => {
    const { alice, project, mission } = await world.missionWith([], { title: 'alpha' })
    const { mission: second } = await world.missionWith([], { project, title: 'beta' })
    const { mission: other } = await world.missionWith([], { title: 'alpha of another project' })
    const bound = await alice.withToken({ preset: 'read_only', projectIds: [project.id] })
    const ids = async (caller: typeof alice, query: object) =>
      (await caller.call('listMissions', query)).missions.map((one) => one.id)

    expect(await ids(alice, { projectId: project.slug })).toEqual([second.id, mission.id])
    expect(await ids(bound, {})).toEqual([second.id, mission.id])
    expect(await ids(bound, { projectId: other.projectId }).catch(() => [])).toEqual([])
    expect(await ids(world.carla, {})).not.toContain(mission.id)
  })

  test('comes in pages that leave none out', async ({ world }) => {
    const project = await world.projectWith()
    for (let index = 0; index < 5; index += 1)
      await world.missionWith([], { project, title: `m${index}` })
    const titles: string[] = []
    let cursor: string | undefined
    do {
      const page = await world.alice.call('listMissions', {
        projectId: project.id,
        limit: 2,
        ...(cursor && { cursor }),
      })
      titles.push(...page.missions.map((one) => one.title))
      cursor = page.nextCursor
    } while (cursor)
    expect(titles).toEqual(['m4', 'm3', 'm2', 'm1', 'm0'])
  })
})

test('a cursor that none of these lists gave out is refused', async ({ world }) => {
  const { alice, mission } = await world.missionWith([])
  const page = { id: mission.id, cursor: 'x' }
  const refused = { code: 'validation_failed' }
  await expect(alice.call('listMissions', { cursor: 'x' })).rejects.toMatchObject(refused)
  await expect(alice.call('listMissionEvents', page)).rejects.toMatchObject(refused)
  await expect(alice.call('listArtifacts', page)).rejects.toMatchObject(refused)
  await expect(alice.call('listDeliveries', page)).rejects.toMatchObject(refused)
  await expect(alice.call('listExecutionRequests', { cursor: 'x' })).rejects.toMatchObject(refused)
  await expect(alice.call('listFileChanges', page)).rejects.toMatchObject(refused)
})
