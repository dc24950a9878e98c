import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

describe('the request', () => {
  test.for(['queued', 'claimed'] as const)(
    'that is %s is cancelled when an agent comes without it',
    { tags: 'large' },
    async (status, { world }) => {
      const { alice, project, mission } = await world.missionWith(['a'])
      const [objective] = mission.objectives
      const { executionRequest } = await alice.launch(objective)
      const runner = await world.connectedRunner(project)
      const lease = status === 'claimed' ? await runner.take() : undefined

      const { session } = await world.agentOf(alice, { objectiveId: objective.displayId }).attach()

      expect(session.executionRequestId).toBeNull()
      expect((await alice.request(executionRequest)).status).toBe('cancelled')
      expect(await alice.eventsOf(mission)).toContainEqual(
        expect.objectContaining({
          type: 'execution_cancelled',
          objectiveId: objective.id,
          data: { executionRequestId: executionRequest.id, agent: 'scripted' },
        }),
      )
      if (lease) await expect(runner.launching(lease)).rejects.toMatchObject({ code: 'lease_lost' })
      expect((await runner.claim()).request).toBeNull()
    },
  )

  test(
    verifies(
      'attach.no-request-no-link',
      'is linked where none is named, if it waits for its agent, and only then',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b'], {
        allowParallelObjectives: true,
      })
      const [a, b] = mission.objectives
      const { lease } = await world.startedRun(a)

      const forgetful = await world.agentOf(alice, { objectiveId: a.displayId }).attach()
      const alone = await world.agentOf(alice, { objectiveId: b.displayId }).attach()

      expect(forgetful.session.executionRequestId).toBe(lease.id)
      expect(alone.session.executionRequestId).toBeNull()
    },
  )

  test('is linked before its launch was reported', async ({ world }) => {
    const { alice, project, mission } = await world.missionWith(['a'])
    await alice.launch(mission.objectives[0])
    const runner = await world.connectedRunner(project)
    const lease = await runner.take()
    await runner.launching(lease)
    const { session } = await runner.agent(lease).attach()
    expect(await alice.request(lease)).toMatchObject({
      status: 'launched',
      outcome: 'running',
      sessionId: session.id,
    })
    expect(await runner.launched(lease)).toMatchObject({ outcome: 'running' })
  })

  test('of an older generation may not attach', { tags: 'large' }, async ({ world }) => {
    const { mission } = await world.missionWith(['a'])
    const { runner, lease, agent } = await world.startedRun(mission.objectives[0])
    await runner.exited(lease, { cause: 'supervisor_lost' })
    await expect(agent.attach()).rejects.toMatchObject({ code: 'stale_execution' })
    const next = await runner.take()
    await runner.launching(next)
    await expect(agent.attach()).rejects.toMatchObject({ code: 'stale_execution' })
    expect((await runner.agent(next).attach()).session.executionRequestId).toBe(next.id)
  })

  test('may leave its generation out while it is the first', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { lease } = await world.startedRun(mission.objectives[0])
    const { session } = await world.agentOf(alice, { executionRequestId: lease.id }).attach()
    expect(session.executionRequestId).toBe(lease.id)
  })

  test.for(['queued', 'claimed', 'failed'] as const)(
    'that is %s may not attach by its name',
    { tags: 'large' },
    async (status, { world }) => {
      const { alice, project, mission } = await world.missionWith(['a'])
      const { executionRequest } = await alice.launch(mission.objectives[0])
      const runner = await world.connectedRunner(project)
      const lease = status === 'queued' ? undefined : await runner.take()
      if (lease && status === 'failed') await runner.failed(lease)
      const start = { executionRequestId: executionRequest.id, generation: lease?.generation ?? 1 }
      const written = await world.rowsWrittenBy(() => world.agentOf(alice, start).attach())
      expect(written).toMatchObject({
        rows: [],
        refusal: { code: 'stale_execution', details: { status } },
      })
    },
  )

  test('that was delivered may not attach again', async ({ world }) => {
    const { mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    await agent.deliver()
    const written = await world.rowsWrittenBy(() => agent.attach())
    expect(written).toMatchObject({ rows: [], refusal: { code: 'objective_not_launchable' } })
  })
})
