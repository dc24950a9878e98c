import { withFault } from '@svc/testing/faults'
import { verifies } from '@svc/testing/verifies'
import { type World, test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'

const unknownId = '00000000-0000-7000-8000-000000000000'
const many = (count: number) => Array.from({ length: count }, (_, index) => `step ${index + 1}`)
const codeOf = (result: PromiseSettledResult<unknown>) =>
  result.status === 'fulfilled' ? 'launched' : String(result.reason?.code)

describe('launching an objective', () => {
  test(
    verifies(
      ['launch.request-queued', 'launch.from-draft', 'launch.single-objective'],
      'queues one request and moves that objective alone to launching',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs', 'ship it'])

      const launched = await alice.launch(mission.objectives[0], { model: 'large' })

      expect(launched).toMatchObject({ reused: false, objective: { state: 'launching' } })
      expect(await alice.requestsOf(mission)).toMatchObject([launched.executionRequest])
      expect(launched.executionRequest).toMatchObject({
        status: 'queued',
        outcome: null,
        objectiveId: mission.objectives[0].id,
        attempt: 1,
      })
      expect((await alice.objective(mission.objectives[1])).state).toBe('draft')
    },
  )

  test(
    verifies('launch.persists-agent', 'writes what was chosen to the objective'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])

      await alice.launch(mission.objectives[0], {
        agent: 'claude',
        model: 'large',
        reasoningEffort: 'high',
      })

      expect(await alice.objective(mission.objectives[0])).toMatchObject({
        assigned_agent: 'claude',
        model: 'large',
        reasoning_effort: 'high',
      })
    },
  )

  test(
    verifies(
      ['launch.mission-event', 'launch.entity-change'],
      'tells of itself in the history and in the feed',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])

      const { executionRequest } = await alice.launch(mission.objectives[0])

      expect(await alice.eventsOf(mission)).toMatchObject([
        {
          type: 'execution_requested',
          objectiveId: mission.objectives[0].id,
          actor: { name: 'alice', role: 'person' },
          data: { executionRequestId: executionRequest.id },
        },
      ])
      const changes = await world.domain.db
        .selectFrom('entity_changes')
        .select(['entity', 'entity_id', 'operation'])
        .where('mission_id', '=', mission.id)
        .where('operation', 'in', ['launch', 'queue'])
        .orderBy('seq')
        .execute()
      expect(changes).toEqual([
        { entity: 'objective', entity_id: mission.objectives[0].id, operation: 'launch' },
        { entity: 'execution_request', entity_id: executionRequest.id, operation: 'queue' },
      ])
    },
  )

  test(verifies('launch.from-submitted', 'takes a submitted objective'), async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    await alice.call('submitObjective', { id: mission.objectives[0].id })

    expect((await alice.launch(mission.objectives[0])).objective.state).toBe('launching')
  })

  test('takes one that awaits approval: the launch is the approval', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs', 'ship it'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    await agent.deliver()
    expect((await alice.objective(mission.objectives[1])).state).toBe('awaiting_approval')

    expect((await alice.launch(mission.objectives[1])).objective.state).toBe('launching')
  })

  test(
    verifies('launch.from-launching', 'starts one anew that is launching without a live request'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])
      const [objective] = mission.objectives
      await alice.call('submitObjective', { id: objective.id })
      const wedged = await alice.launch(objective)
      await loseRequest(world, wedged.executionRequest.id)

      const launched = await alice.launch(objective)

      expect(launched).toMatchObject({ reused: false, objective: { state: 'launching' } })
      expect(launched.executionRequest.id).not.toBe(wedged.executionRequest.id)
      const runner = await world.connectedRunner({ id: mission.projectId })
      await runner.failed(await runner.take())
      expect((await alice.objective(objective)).state).toBe('submitted')
    },
  )

  test('warns that no connected runner has the agent, and waits for one', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])

    const { warnings, executionRequest } = await alice.launch(mission.objectives[0], {
      agent: 'rare',
    })

    expect(warnings).toEqual([
      {
        code: 'agent_not_available',
        message: 'No connected runner has the agent rare. The request waits until one has.',
        next: { operation: 'listRunners', params: {} },
      },
    ])
    expect(executionRequest.status).toBe('queued')
  })

  test('does not warn while a runner with the agent is connected', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    await world.connectedRunner({ id: mission.projectId }, { agents: ['present'] })

    const { warnings } = await alice.launch(mission.objectives[0], { agent: 'present' })

    expect(warnings).toEqual([])
  })

  test('warns where the runner that has the agent takes from other projects alone', async ({
    world,
  }) => {
    const { alice, mission, project } = await world.missionWith(['write the docs'])
    const elsewhere = await world.projectWith()
    const runner = await world.connectedRunner(elsewhere, { agents: ['apart'] })
    await runner.claim()
    const [objective] = mission.objectives
    const launch = async () =>
      (await alice.launch(objective, { agent: 'apart' })).warnings.map(({ code }) => code)

    expect(await launch()).toEqual(['agent_not_available'])
    await runner.claim({ projectIds: [elsewhere.id, project.id] })
    expect(await launch()).toEqual([])
  })
})

describe('a launch that is refused', () => {
  const title = (text: string) => verifies('launch.refusal-no-request', `writes nothing ${text}`)
  const notLaunchable = (text: string) =>
    verifies(['launch.refusal-no-request', 'launch.launchable'], `writes nothing ${text}`)

  test(title('for an objective that is not there'), async ({ world }) => {
    const written = await world.rowsWrittenBy(() => world.alice.launch({ id: unknownId }))
    expect(written).toMatchObject({ rows: [], refusal: { code: 'not_found' } })
  })

  test(title('for an objective of another workspace'), async ({ world }) => {
    const { mission } = await world.missionWith(['write the docs'])
    const written = await world.rowsWrittenBy(() => world.carla.launch(mission.objectives[0]))
    expect(written).toMatchObject({ rows: [], refusal: { code: 'not_found' } })
  })

  test(title('for a viewer'), async ({ world }) => {
    const { mission } = await world.missionWith(['write the docs'])
    const written = await world.rowsWrittenBy(() => world.vera.launch(mission.objectives[0]))
    expect(written).toMatchObject({
      rows: [],
      refusal: { code: 'forbidden', details: { permission: 'execution_request:create' } },
    })
  })

  test(title('for an objective without an instruction'), async ({ world }) => {
    const { alice, mission } = await world.missionWith([' \n '])
    const written = await world.rowsWrittenBy(() => alice.launch(mission.objectives[0]))
    expect(written).toMatchObject({ rows: [], refusal: { code: 'objective_blank' } })
  })

  test(notLaunchable('for an objective that is complete'), async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    await agent.deliver()

    const written = await world.rowsWrittenBy(() => alice.launch(mission.objectives[0]))

    expect(written).toMatchObject({
      rows: [],
      refusal: {
        code: 'objective_not_launchable',
        details: { state: 'complete' },
        next: { operation: 'addObjectives', params: { id: mission.displayId } },
      },
    })
  })

  test(
    notLaunchable('for an objective that an agent works on without a request'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])
      await world.agentOf(alice, { missionId: mission.id }).attach()

      const written = await world.rowsWrittenBy(() => alice.launch(mission.objectives[0]))

      expect(written).toMatchObject({
        rows: [],
        refusal: {
          code: 'objective_not_launchable',
          details: { state: 'executing' },
          next: {
            operation: 'listExecutionRequests',
            params: { objectiveId: mission.objectives[0].displayId },
          },
        },
      })
    },
  )

  test(notLaunchable('whoever asks, by whatever surface'), { tags: 'large' }, async ({ world }) => {
    const { alice, mission } = await world.missionWith(['done', 'running'])
    const [done, running] = mission.objectives
    await (await world.attachedRun(done)).agent.deliver()
    await world.agentOf(alice, { objectiveId: running.displayId }).attach()
    const askers = [
      alice,
      world.bob,
      await alice.withPreset('full'),
      await alice.withToken({ permissions: ['mission:read', 'execution_request:create'] }),
      await world.person('owner'),
    ]
    const written = await world.rowsWrittenBy(async () => {
      for (const asker of askers) {
        for (const { id } of [done, running]) {
          const asks = [
            asker.launch({ id }),
            asker.launch({ id }, { fromBase: true, model: 'other' }),
            asker.tool('svc_launch_objective', { objectiveId: id, agent: 'scripted' }),
          ]
          for (const asked of await Promise.allSettled(asks)) {
            expect(asked).toMatchObject({ reason: { code: 'objective_not_launchable' } })
          }
        }
      }
    })
    expect(written).toEqual({ rows: [], refusal: undefined })
  })

  test(
    verifies(
      ['launch.one-active', 'launch.refusal-no-request'],
      'writes nothing while another objective is active, and names it',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['first', 'second'])
      const [first, second] = mission.objectives
      await alice.launch(first)

      const written = await world.rowsWrittenBy(() => alice.launch(second))

      expect(written).toMatchObject({
        rows: [],
        refusal: {
          code: 'mission_busy',
          details: { objectiveId: first.id, displayId: first.displayId, state: 'launching' },
          next: {
            operation: 'updateMission',
            params: { id: mission.displayId, allowParallelObjectives: true },
          },
        },
      })
    },
  )

  test(title('when the resource is linked read-only'), async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'], {
      resources: [{ resourceKey: 'web', permission: 'ro' }],
    })
    const written = await world.rowsWrittenBy(() => alice.launch(mission.objectives[0]))
    expect(written).toMatchObject({
      rows: [],
      refusal: { code: 'resource_read_only', details: { resourceKey: 'web' } },
    })
  })

  test(
    verifies(
      ['launch.resource-connected', 'launch.refusal-no-request'],
      'writes nothing when no runner has the resource',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'], {
        resources: [{ resourceKey: 'web' }],
      })
      const written = await world.rowsWrittenBy(() => alice.launch(mission.objectives[0]))
      expect(written).toMatchObject({
        rows: [],
        refusal: {
          code: 'resource_not_connected',
          details: { resourceKey: 'web', lastSeenAt: null },
          next: { operation: 'connectResource', params: { resourceKey: 'web' } },
        },
      })
    },
  )

  test('is refused for the first reason of several, in the order given', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['running', '', 'has an instruction'], {
      resources: [
        { resourceKey: 'web', permission: 'ro' },
        { resourceKey: 'api', permission: 'rw' },
      ],
    })
    const [running, blank, ready] = mission.objectives
    await world.agentOf(alice, { missionId: mission.id, objectiveId: running.id }).attach()
    const codes = async (one: { id: string }, resourceKey: string) =>
      codeOf((await Promise.allSettled([alice.launch(one, { resourceKey })]))[0])

    expect(await codes(blank, 'web')).toBe('objective_blank')
    expect(await codes(running, 'web')).toBe('objective_not_launchable')
    expect(await codes(ready, 'web')).toBe('mission_busy')
    await alice.call('updateMission', { id: mission.id, allowParallelObjectives: true })
    expect(await codes(ready, 'web')).toBe('resource_read_only')
    expect(await codes(ready, 'api')).toBe('resource_not_connected')
  })
})

describe('the transaction of a launch', () => {
  test.for([
    ['objectives', 'update'],
    ['execution_requests', 'insert'],
    ['mission_events', 'insert'],
    ['entity_changes', 'insert'],
  ] as const)(
    verifies('launch.tx-atomic', 'leaves nothing behind when the write to %s fails'),
    async ([table, operation], { world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])

      const written = await world.rowsWrittenBy(() =>
        withFault(world.domain.db, { table, operation }, () => alice.launch(mission.objectives[0])),
      )

      expect(written).toMatchObject({ rows: [], refusal: { message: 'made to fail' } })
    },
  )

  test(
    verifies('launch.one-active', 'lets one of 32 simultaneous launches of a mission win'),
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(many(32))

      const results = await Promise.allSettled(mission.objectives.map((one) => alice.launch(one)))

      const codes = results.map(codeOf)
      expect(codes.filter((code) => code === 'launched')).toHaveLength(1)
      expect(codes.filter((code) => code === 'mission_busy')).toHaveLength(31)
      expect(await alice.requestsOf(mission)).toHaveLength(1)
    },
  )

  test(
    verifies('launch.single-objective', 'makes one request of 32 simultaneous launches of one'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])

      const answers = await Promise.all(many(32).map(() => alice.launch(mission.objectives[0])))

      expect(answers.filter((answer) => !answer.reused)).toHaveLength(1)
      expect(new Set(answers.map((answer) => answer.executionRequest.id)).size).toBe(1)
      expect(await alice.requestsOf(mission)).toHaveLength(1)
    },
  )

  test(
    verifies('launch.parallel-lifts', 'lets all of them win where the mission allows it'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(many(8), { allowParallelObjectives: true })

      await Promise.all(mission.objectives.map((one) => alice.launch(one)))

      const states = (await alice.mission(mission)).objectives.map((one) => one.state)
      expect(states).toEqual(many(8).map(() => 'launching'))
    },
  )

  test('ends nothing and refuses more once the mission is serial again', async ({ world }) => {
    const { alice, mission } = await world.missionWith(many(3), { allowParallelObjectives: true })
    const [first, second, third] = mission.objectives
    await alice.launch(first!)
    await alice.launch(second!)

    await alice.call('updateMission', { id: mission.id, allowParallelObjectives: false })

    await expect(alice.launch(third!)).rejects.toMatchObject({ code: 'mission_busy' })
    const states = (await alice.mission(mission)).objectives.map((one) => one.state)
    expect(states).toEqual(['launching', 'launching', 'draft'])
  })

  test('puts what has started before what has not', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b', 'c'])
    await alice.launch(mission.objectives[2])

    const listed = (await alice.mission(mission)).objectives
    expect(listed.map((one) => [one.instruction, one.position])).toEqual([
      ['c', 1],
      ['a', 2],
      ['b', 3],
    ])
  })
})

/** What no call of ours does: a restored backup may. */
async function loseRequest({ domain }: World, id: string): Promise<void> {
  await sql`update execution_requests set status = 'failed', ended_at = app.now() where id = ${id}`.execute(
    domain.db,
  )
}
