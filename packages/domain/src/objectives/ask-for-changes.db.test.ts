import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

describe('asking for changes', () => {
  test('fills in the blank objective after a delivery, as the last run was launched', async ({
    world,
  }) => {
    const { alice, mission, project } = await world.missionWith(['a'])
    const [first] = mission.objectives
    await alice.call('updateObjective', { id: first.id, model: 'large', reasoning_effort: 'high' })
    await alice.launch(first)
    const runner = await world.connectedRunner(project)
    const lease = await runner.take()
    await runner.launching(lease, 'svc/x')
    await runner.launched(lease)
    const agent = runner.agent(lease)
    await agent.attach()
    await agent.deliver()
    const [, blank] = (await alice.mission(mission)).objectives

    const instruction = '# Keep the old route.\nAnd test it.'
    const asked = await alice.call('askForChanges', { id: mission.displayId, instruction })

    expect(asked.objective).toMatchObject({
      id: blank?.id,
      title: 'Keep the old route.',
      instruction,
      state: 'draft',
      assigned_agent: 'scripted',
      model: 'large',
      reasoning_effort: 'high',
    })
    const more = await alice.call('askForChanges', {
      id: mission.id,
      instruction: 'And more.',
      resource_key: 'api',
    })
    expect(more.objective).toMatchObject({
      position: 2,
      assigned_agent: 'scripted',
      resource_key: 'api',
    })
    expect((await alice.mission(mission)).objectives.map(({ id }) => id)).toEqual([
      first.id,
      more.objective.id,
      asked.objective.id,
    ])
  })

  test('names no agent where none has run', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { objective } = await alice.call('askForChanges', { id: mission.id, instruction: 'b' })
    expect(objective).toMatchObject({ position: 1, assigned_agent: null, resource_key: null })
  })

  test('comes before what was to follow, and raises the revision of the order', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a', 'b', 'c'], { auto_advance: true })
    const [a, b, c] = mission.objectives
    const { agent } = await world.attachedRun(a)
    const { revision } = await alice.mission(mission)
    const asked = await alice.call('askForChanges', { id: mission.id, instruction: 'Not so.' })
    const now = await alice.mission(mission)
    expect(now.objectives.map(({ id, position }) => [id, position])).toEqual([
      [a.id, 1],
      [asked.objective.id, 2],
      [b.id, 3],
      [c.id, 4],
    ])
    expect(now.revision).toBeGreaterThan(revision)
    await agent.deliver()
    expect((await alice.requestsOf(mission)).map(({ objectiveId }) => objectiveId)).toContain(
      asked.objective.id,
    )
  })

  test('says what is to be different', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    await expect(
      alice.call('askForChanges', { id: mission.id, instruction: ' \n' }),
    ).rejects.toThrow('say what is to be different')
  })

  test('takes the right to add alone, also where a blank one is filled in', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', ''])
    const adding = await alice.withToken({ permissions: ['objective:create', 'mission:read'] })
    const { objective } = await adding.call('askForChanges', { id: mission.id, instruction: 'b' })
    expect(objective.id).toBe(mission.objectives[1].id)
  })
})
