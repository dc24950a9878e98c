import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

const statusesOf = (requests: { agent: string; status: string }[]) =>
  requests.map((one) => `${one.agent} ${one.status}`)

describe('launching an objective that is launching', () => {
  test(
    'with the same choice answers with that launch and writes nothing',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])
      const [objective] = mission.objectives
      const first = await alice.launch(objective, { model: 'large' })

      const written = await world.rowsWrittenBy(async () => {
        const same = { ...first, reused: true }
        expect(await alice.launch(objective, { model: 'large' })).toEqual(same)
        // what is left out is the objective's, which the first launch has written
        expect(await alice.launch(objective)).toEqual(same)
      })

      expect(written).toEqual({ rows: [], refusal: undefined })
    },
  )

  test('with the same choice answers so while a runner has it, too', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const [objective] = mission.objectives
    const { lease } = await world.startedRun(objective)
    expect(await alice.launch(objective)).toMatchObject({
      reused: true,
      executionRequest: { id: lease.id, status: 'launched' },
    })
  })

  test.for([
    ['agent', { agent: 'claude' }, { agent: 'claude' }],
    ['model', { model: 'large' }, { config: { model: { value: 'large' } } }],
    ['effort', { reasoningEffort: 'high' }, { config: { reasoningEffort: { value: 'high' } } }],
    ['resource', { resourceKey: 'api' }, { resourceKey: 'api' }],
    ['start', { fromBase: true }, {}],
    ['runner', { runner: 'box' }, { onlyRunner: 'box' }],
  ] as const)(
    'with another %s replaces the launch that nobody has claimed',
    { tags: 'large' },
    async ([, choice, shown], { world }) => {
      const { alice, project, mission } = await world.missionWith(['write the docs'], {
        resources: [{ resourceKey: 'web', primary: true }, { resourceKey: 'api' }],
      })
      const [objective] = mission.objectives
      const has = (resourceKey: string) => ({ projectId: project.id, resourceKey })
      await world.connectedRunner(project, { resources: [has('web'), has('api')] })
      const first = await alice.launch(objective)

      expect(first.warnings.map(({ code }) => code)).not.toContain('replaced')

      const second = await alice.launch(objective, choice)

      expect(second.warnings.find(({ code }) => code === 'replaced')).toEqual({
        code: 'replaced',
        message:
          'It takes the place of the launch with scripted, resource web, which no runner had taken yet.',
        next: { operation: 'getExecutionRequest', params: { id: first.executionRequest.id } },
      })

      expect(second).toMatchObject({
        reused: false,
        objective: { state: 'launching' },
        executionRequest: { status: 'queued', ...shown },
      })
      expect(second.executionRequest.id).not.toBe(first.executionRequest.id)
      expect(await alice.request(first.executionRequest)).toMatchObject({
        status: 'cancelled',
        endedAt: expect.any(String),
      })
      const history = (await alice.eventsOf(mission)).map((one) => one.type)
      expect(history.toSorted()).toEqual([
        'execution_cancelled',
        'execution_requested',
        'execution_requested',
      ])
    },
  )

  test(
    'puts a mistyped agent right, and keeps where the objective goes back to',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, project, mission } = await world.missionWith(['write the docs'])
      const [objective] = mission.objectives
      await alice.call('submitObjective', { id: objective.id })
      await alice.launch(objective, { agent: 'cluade' })

      await alice.launch(objective, { agent: 'claude' })

      expect(await alice.objective(objective)).toMatchObject({ assigned_agent: 'claude' })
      const runner = await world.connectedRunner(project, { agents: ['cluade', 'claude'] })
      const lease = await runner.take()
      expect(await alice.request(lease)).toMatchObject({ agent: 'claude' })
      expect((await runner.claim()).request).toBeNull()
      await runner.failed(lease)
      expect((await alice.objective(objective)).state).toBe('submitted')
    },
  )

  test('with a choice that is refused leaves the first launch as it is', async ({ world }) => {
    const { alice, project, mission } = await world.missionWith(['write the docs'], {
      resources: [{ resourceKey: 'web', primary: true }, { resourceKey: 'api' }],
    })
    const [objective] = mission.objectives
    const web = { projectId: project.id, resourceKey: 'web' }
    await world.connectedRunner(project, { resources: [web] })
    const { executionRequest } = await alice.launch(objective)

    const written = await world.rowsWrittenBy(() =>
      alice.launch(objective, { agent: 'claude', resourceKey: 'api' }),
    )

    expect(written).toMatchObject({ rows: [], refusal: { code: 'resource_not_connected' } })
    expect(await alice.request(executionRequest)).toMatchObject({ status: 'queued' })
  })

  test(
    'with another choice is refused once a runner has it, and names the run',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, project, mission } = await world.missionWith(['write the docs'])
      const [objective] = mission.objectives
      const { executionRequest } = await alice.launch(objective)
      const runner = await world.connectedRunner(project)
      await runner.take()

      const written = await world.rowsWrittenBy(() => alice.launch(objective, { agent: 'claude' }))

      expect(written).toMatchObject({
        rows: [],
        refusal: {
          code: 'objective_not_launchable',
          next: { operation: 'getExecutionRequest', params: { id: executionRequest.id } },
          details: { state: 'launching', executionRequestId: executionRequest.id },
        },
      })
    },
  )

  test(
    'at once with a claim ends in one run, and never ends a claimed one',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(
        Array.from({ length: 12 }, () => 'work'),
        {
          allowParallelObjectives: true,
        },
      )
      const runner = await world.connectedRunner({ id: mission.projectId })
      for (const objective of mission.objectives) await alice.launch(objective)

      const racing = mission.objectives.flatMap((objective) => [
        runner.claim(),
        alice.launch(objective, { agent: 'claude' }),
      ])
      const refused = (await Promise.allSettled(racing)).filter((one) => one.status === 'rejected')

      for (const { reason } of refused) expect(reason.code).toBe('objective_not_launchable')
      for (const objective of mission.objectives) {
        const ofOne = (await alice.requestsOf(mission)).filter(
          (one) => one.objectiveId === objective.id,
        )
        expect([['scripted claimed'], ['claude queued', 'scripted cancelled']]).toContainEqual(
          statusesOf(ofOne),
        )
      }
    },
  )
})

test('a launch in place of one that came back to wait answers with what its first try has used', async ({
  world,
}) => {
  const { alice, mission } = await world.missionWith(['write the docs'])
  const [objective] = mission.objectives
  const { lease } = await world.startedRun(objective)
  await world.advance(100)
  await world.settle()
  expect(await alice.request(lease)).toMatchObject({ status: 'queued' })

  const second = await alice.launch(objective, { agent: 'claude' })

  expect(second.objective.usage).toMatchObject({ runs: 1, runsOfUnknownCost: 1, seconds: 100 })
  expect(await alice.objective(objective)).toEqual(second.objective)
})

describe('launching an objective that is executing', () => {
  test(
    verifies(
      ['launch.launchable', 'launch.refusal-no-request'],
      'is refused with the same choice too, and names the run',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])
      const [objective] = mission.objectives
      const { lease } = await world.attachedRun(objective)

      const written = await world.rowsWrittenBy(() => alice.launch(objective))

      expect(written).toMatchObject({
        rows: [],
        refusal: {
          code: 'objective_not_launchable',
          next: { operation: 'getExecutionRequest', params: { id: lease.id } },
          details: { state: 'executing', executionRequestId: lease.id },
        },
      })
    },
  )
})
