import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

describe('an objective', () => {
  test(
    verifies(['objective.fields', 'objective.display-id-format'], 'is read by UUID and display id'),
    async ({ world }) => {
      const { alice, mission, project } = await world.missionWith(['# Write the docs\nall of them'])
      const [objective] = mission.objectives

      expect(objective.displayId).toMatch(new RegExp(`^${project.slug}:1\\.[0-9a-hjkmnp-tv-z]{4}$`))
      const read = await alice.objective(objective)
      expect(await alice.objective({ id: objective.displayId })).toEqual(read)
      expect(read).toMatchObject({
        id: objective.id,
        displayId: objective.displayId,
        position: 1,
        title: 'Write the docs',
        instruction: '# Write the docs\nall of them',
        state: 'draft',
        assigned_agent: null,
        model: null,
        reasoning_effort: null,
        resource_key: null,
        branch: null,
      })
    },
  )

  test(
    verifies('mission.ordered-objectives', 'added later stands last, in the order given'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])

      const { objectives } = await alice.call('addObjectives', {
        id: mission.id,
        objectives: [{ instruction: 'b' }, { instruction: 'c', assigned_agent: 'claude' }],
      })

      expect(objectives.map((one) => [one.position, one.instruction, one.assigned_agent])).toEqual([
        [1, 'a', null],
        [2, 'b', null],
        [3, 'c', 'claude'],
      ])
    },
  )

  test('that is not there is looked for in its mission', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const id = `${mission.displayId}.zzzz`
    const params = { id: mission.displayId }
    await expect(alice.objective({ id })).rejects.toMatchObject({
      next: { operation: 'getMission', params },
    })
    await expect(alice.call('restoreObjective', { id })).rejects.toMatchObject({
      next: { operation: 'listDeletedObjectives', params },
    })
  })

  test('is called what its instruction says, until a person gives it a title', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith([''])
    const { id } = mission.objectives[0]
    const edit = async (edits: { title?: string; instruction?: string }) =>
      (await alice.call('updateObjective', { id, ...edits })).objective.title
    expect(await edit({ instruction: 'Crash.' })).toBe('Crash.')
    expect(await edit({ instruction: '# No crash.\nNever.' })).toBe('No crash.')
    expect(await edit({ title: 'Stay up' })).toBe('Stay up')
    expect(await edit({ instruction: 'Crash.' })).toBe('Stay up')
  })

  test('goes to submitted and back to draft', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { id } = mission.objectives[0]

    expect((await alice.call('submitObjective', { id })).objective.state).toBe('submitted')
    await expect(alice.call('submitObjective', { id })).rejects.toMatchObject({
      code: 'invalid_transition',
      message: 'This can be done with an objective that is draft; this one is submitted.',
      details: { state: 'submitted' },
    })
    expect((await alice.call('sendBackObjective', { id })).objective.state).toBe('draft')
    await expect(alice.call('sendBackObjective', { id })).rejects.toMatchObject({
      code: 'invalid_transition',
      message:
        'This can be done with an objective that is submitted or awaiting approval; this one is draft.',
    })
  })

  test('without an instruction cannot be submitted', async ({ world }) => {
    const { alice, mission } = await world.missionWith([''])
    const written = await world.rowsWrittenBy(() =>
      alice.call('submitObjective', { id: mission.objectives[0].id }),
    )
    expect(written).toMatchObject({ rows: [], refusal: { code: 'objective_blank' } })
  })

  test('that awaits approval becomes a draft when it is edited', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['first', 'second'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    await agent.deliver()

    const { objective } = await alice.call('updateObjective', {
      id: mission.objectives[1].id,
      instruction: 'second, in other words',
    })

    expect(objective).toMatchObject({ state: 'draft', instruction: 'second, in other words' })
  })

  test('that has started is not edited', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { id } = mission.objectives[0]
    const edit = () => alice.call('updateObjective', { id, instruction: 'other' })
    await alice.launch(mission.objectives[0])
    await expect(edit()).rejects.toMatchObject({
      code: 'invalid_transition',
      details: { state: 'launching' },
      next: { operation: 'addObjectives', params: { id: mission.displayId } },
    })
    await expect(alice.call('sendBackObjective', { id })).rejects.toMatchObject({
      code: 'invalid_transition',
    })
  })

  test('edited twice from the same revision takes the first edit', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const [{ id, revision }] = mission.objectives
    const edit = (title: string) =>
      alice.call('updateObjective', { id, title, expectedRevision: revision })
    await edit('first')

    await expect(edit('second')).rejects.toMatchObject({ code: 'revision_mismatch' })
    expect((await alice.objective({ id })).title).toBe('first')
  })

  test('loses what is set to null and keeps what is not named', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { id } = mission.objectives[0]
    await alice.call('updateObjective', { id, assigned_agent: 'claude', model: 'large' })

    const { objective } = await alice.call('updateObjective', { id, model: null })

    expect(objective).toMatchObject({ assigned_agent: 'claude', model: null })
  })
})

test('objectives added to one mission at once get a position each', async ({ world }) => {
  const { alice, mission } = await world.missionWith(['a'])
  const add = (instruction: string) =>
    alice.call('addObjectives', { id: mission.id, objectives: [{ instruction }] })

  await Promise.all(['b', 'c', 'd', 'e'].map(add))

  const { objectives } = await alice.mission(mission)
  expect(objectives.map((one) => one.position)).toEqual([1, 2, 3, 4, 5])
})
