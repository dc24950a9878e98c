import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

describe('what is attached to', () => {
  test(
    verifies('attach.pin-order', 'is the objective named, whatever request is named beside it'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b'], {
        allowParallelObjectives: true,
      })
      const [a, b] = mission.objectives
      const { agent, lease } = await world.startedRun(b)

      const attached = await agent.attach({ objectiveId: a.displayId })

      expect(attached.currentObjective?.id).toBe(a.id)
      expect(attached.session.executionRequestId).toBeNull()
      expect(await alice.request(lease)).toMatchObject({ status: 'launched', sessionId: null })
    },
  )

  test('is the objective named, though the request named is of another mission', async ({
    world,
  }) => {
    const { mission } = await world.missionWith(['a'])
    const { mission: other } = await world.missionWith(['b'])
    const { agent } = await world.startedRun(other.objectives[0])
    const attached = await agent.attach({ objectiveId: mission.objectives[0].displayId })
    expect(attached.currentObjective?.id).toBe(mission.objectives[0].id)
  })

  test('is not told apart from nothing where the mission named beside the request is hidden', async ({
    world,
  }) => {
    const { alice, mission: hidden, project } = await world.missionWith(['a'])
    const { mission } = await world.missionWith(['b'], { project: await world.projectWith() })
    const { lease } = await world.startedRun(mission.objectives[0])
    const bound = await alice.withToken({
      preset: 'mission_lifecycle',
      projectIds: [mission.projectId],
    })
    const refusals = await Promise.all(
      [hidden.displayId, `${project.slug}:999`].map((missionId) =>
        world
          .agentOf(bound, { executionRequestId: lease.id, missionId })
          .attach()
          .catch((error: unknown) => error),
      ),
    )
    const like = { code: 'not_found', message: expect.stringContaining(lease.id) }
    expect(refusals).toMatchObject([like, like])
  })

  test(
    verifies('attach.pin-by-request', "is the request's objective, though another one is active"),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b'], {
        allowParallelObjectives: true,
      })
      const [a, b] = mission.objectives
      await world.agentOf(alice, { objectiveId: a.displayId }).attach()
      const { agent } = await world.startedRun(b)
      expect((await agent.attach()).currentObjective?.id).toBe(b.id)
    },
  )

  test(
    verifies('attach.pin-by-picker', 'is the active objective when only the mission is named'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b'])
      const [, b] = mission.objectives
      await world.startedRun(b)
      const attached = await world.agentOf(alice, { missionId: mission.displayId }).attach()
      expect(attached.currentObjective?.id).toBe(b.id)
    },
  )

  test('is the next one up when none is active, past those without an instruction', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['', 'b', 'c'])
    const attached = await world.agentOf(alice, { missionId: mission.id }).attach()
    expect(attached.currentObjective?.id).toBe(mission.objectives[1].id)
  })

  test('may be a blank objective when it is named', async ({ world }) => {
    const { alice, mission } = await world.missionWith([''])
    await expect(world.agentOf(alice, { missionId: mission.id }).attach()).rejects.toMatchObject({
      code: 'nothing_to_attach',
      next: { operation: 'addObjectives', params: { id: mission.displayId } },
    })
    const attached = await world
      .agentOf(alice, { objectiveId: mission.objectives[0].displayId })
      .attach()
    expect(attached.currentObjective).toMatchObject({
      id: mission.objectives[0].id,
      state: 'executing',
    })
  })

  test('must be named while several are active', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'], {
      allowParallelObjectives: true,
    })
    const [a, b] = mission.objectives
    await world.agentOf(alice, { objectiveId: a.displayId }).attach()
    await world.agentOf(alice, { objectiveId: b.displayId }).attach()
    const candidates = [a, b].map((one) =>
      expect.objectContaining({ objectiveId: one.id, displayId: one.displayId }),
    )
    const agent = world.agentOf(alice, { missionId: mission.id })
    await expect(agent.attach()).rejects.toMatchObject({
      code: 'ambiguous_objective',
      details: { candidates },
    })
    await expect(alice.protocol('load-context', { missionId: mission.id })).rejects.toMatchObject({
      code: 'ambiguous_objective',
    })
  })

  test.for([
    ['nothing', {}],
    ["an objective's UUID alone", { objectiveId: true }],
  ] as const)(
    verifies('args.uuid-needs-mission-id', 'is refused when %s names it'),
    async ([, named], { world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const [objective] = mission.objectives
      const start = 'objectiveId' in named ? { objectiveId: objective.id } : {}
      await expect(world.agentOf(alice, start).attach()).rejects.toMatchObject({
        code: 'validation_failed',
      })
      const whole = { objectiveId: objective.id, missionId: mission.id }
      expect((await world.agentOf(alice, whole).attach()).currentObjective?.id).toBe(objective.id)
    },
  )

  test('cannot be an objective of another mission than the one named', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { mission: other } = await world.missionWith(['b'])
    const start = { missionId: other.id, objectiveId: mission.objectives[0].id }
    await expect(world.agentOf(alice, start).attach()).rejects.toMatchObject({ code: 'not_found' })
  })

  test('cannot be a second objective of a serial mission', { tags: 'large' }, async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'])
    const [a, b] = mission.objectives
    await world.attachedRun(a)
    const written = await world.rowsWrittenBy(() =>
      world.agentOf(alice, { objectiveId: b.displayId }).attach(),
    )
    expect(written).toMatchObject({
      rows: [],
      refusal: {
        code: 'mission_busy',
        details: { objectiveId: a.id },
        next: {
          operation: 'updateMission',
          params: { id: mission.displayId, allowParallelObjectives: true },
        },
      },
    })
  })

  test('cannot be one that is complete', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    await agent.deliver()
    const again = world.agentOf(alice, { objectiveId: mission.objectives[0].displayId })
    await expect(again.attach()).rejects.toMatchObject({
      code: 'objective_not_launchable',
      details: { state: 'complete' },
      next: { operation: 'getMission', params: { id: mission.displayId } },
    })
  })

  describe('while it awaits approval', () => {
    test(
      'is refused unless it is named by somebody who may launch',
      { tags: 'large' },
      async ({ world }) => {
        const { alice, mission } = await world.missionWith(['a', 'b'])
        const [a, b] = mission.objectives
        await (await world.attachedRun(a)).agent.deliver()
        expect((await alice.objective(b)).state).toBe('awaiting_approval')
        const runner = await alice.withPreset('runner')

        await expect(
          world.agentOf(alice, { missionId: mission.id }).attach(),
        ).rejects.toMatchObject({
          code: 'nothing_to_attach',
          message: expect.stringContaining(`an attach that names ${b.displayId} by objectiveId`),
          next: { operation: 'launchObjective', params: { id: b.displayId } },
        })
        await expect(
          world.agentOf(runner, { objectiveId: b.displayId }).attach(),
        ).rejects.toMatchObject({ code: 'forbidden' })
        expect((await alice.objective(b)).state).toBe('awaiting_approval')

        await world.agentOf(alice, { objectiveId: b.displayId }).attach()
        expect(await alice.objective(b)).toMatchObject({
          state: 'executing',
          approvalRefusal: null,
        })
      },
    )
  })
})
