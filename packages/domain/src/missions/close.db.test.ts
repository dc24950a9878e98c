import type { StatusType } from '@svc/contracts/states'
import type { Person } from '../testing/people.ts'
import { outboxOf } from '../testing/stored.ts'
import { test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'

async function moveTo(
  person: Person,
  mission: { id: string; projectId: string },
  type: StatusType,
  options: { cancelRunning?: boolean } = {},
) {
  const { statuses } = await person.call('listProjectStatuses', { id: mission.projectId })
  const statusId = statuses.find((one) => one.type === type)?.id ?? ''
  return person.call('moveMission', { id: mission.id, statusId, ...options })
}

describe.for(['complete', 'cancelled'] as const)('moving a mission to %s', (type) => {
  test(
    'is refused while a launch is queued in it, and names it',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])
      const [objective] = mission.objectives
      const { executionRequest } = await alice.launch(objective)

      expect(await world.rowsWrittenBy(() => moveTo(alice, mission, type))).toMatchObject({
        rows: [],
        refusal: {
          code: 'mission_active',
          next: {
            operation: 'moveMission',
            params: { id: mission.displayId, statusId: expect.any(String), cancelRunning: true },
          },
          details: {
            objectives: [
              {
                objectiveId: objective.id,
                displayId: objective.displayId,
                state: 'launching',
                executionRequestId: executionRequest.id,
              },
            ],
          },
        },
      })
    },
  )

  test('with cancelRunning cancels what is queued, and no runner takes it', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'], {
      allowParallelObjectives: true,
    })
    for (const one of mission.objectives) await alice.launch(one)

    const moved = await moveTo(alice, mission, type, { cancelRunning: true })

    expect(moved.mission.phase).toBe(type)
    const requests = await alice.requestsOf(mission)
    expect(requests.map((one) => one.status)).toEqual(['cancelled', 'cancelled'])
    const { objectives } = await alice.mission(mission)
    expect(objectives.map((one) => one.state)).toEqual(['draft', 'draft'])
    const runner = await world.connectedRunner({ id: mission.projectId })
    expect((await runner.claim()).request).toBeNull()
  })

  test('is refused while an agent runs, and ends nothing', { tags: 'large' }, async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'], {
      allowParallelObjectives: true,
    })
    const [a, b] = mission.objectives
    await world.attachedRun(a)
    await alice.launch(b)
    expect(await world.rowsWrittenBy(() => moveTo(alice, mission, type))).toMatchObject({
      rows: [],
      refusal: {
        code: 'mission_active',
        message: expect.stringContaining(
          `${a.displayId} is executing, ${b.displayId} is launching`,
        ),
        details: { objectives: [{ objectiveId: a.id }, { objectiveId: b.id }] },
      },
    })
  })

  test(
    'with cancelRunning ends what runs too, and stays closed when it is over',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b', 'c', 'd'], {
        allowParallelObjectives: true,
      })
      const [a, b, c, d] = mission.objectives
      const { lease, runner, agent } = await world.attachedRun(a)
      const started = await world.startedRun(b)
      const alone = world.agentOf(alice, { objectiveId: c.displayId })
      await alone.attach()
      await alice.launch(d)

      const moved = await moveTo(alice, mission, type, { cancelRunning: true })

      expect(moved.mission.phase).toBe(type)
      expect(await agent.update()).toMatchObject({ directive: 'stop' })
      await expect(alone.update()).rejects.toMatchObject({ code: 'session_ended' })
      await runner.exited(lease, { cause: 'cancelled' })
      await started.runner.exited(started.lease, { cause: 'cancelled' })
      const { objectives, phase } = await alice.mission(mission)
      expect(phase).toBe(type)
      const ends = objectives.filter(({ id }) => mission.objectives.some((one) => one.id === id))
      expect(ends.map(({ lastOutcome }) => lastOutcome)).toEqual(ends.map(() => 'cancelled'))
    },
  )
})

test('moving a mission to a status that does not close it is free while an agent runs', async ({
  world,
}) => {
  const { alice, mission } = await world.missionWith(['write the docs'])
  await world.attachedRun(mission.objectives[0])
  expect((await moveTo(alice, mission, 'blocked')).mission.phase).toBe('blocked')
})

test('cancelling with a move takes the right to launch', async ({ world }) => {
  const { alice, mission } = await world.missionWith(['write the docs'])
  await alice.launch(mission.objectives[0])
  const mover = await alice.withToken({ permissions: ['mission:read', 'mission:update'] })
  const { statuses } = await alice.call('listProjectStatuses', { id: mission.projectId })
  const statusId = statuses.find((one) => one.type === 'cancelled')?.id ?? ''
  const written = await world.rowsWrittenBy(() =>
    mover.call('moveMission', { id: mission.id, statusId, cancelRunning: true }),
  )
  expect(written).toMatchObject({ rows: [], refusal: { code: 'forbidden' } })
})

test(
  'cancelling with a move at once with claims ends all that is not claimed, and tells the rest',
  { tags: 'large' },
  async ({ world }) => {
    for (let round = 0; round < 6; round += 1) {
      const { alice, mission } = await world.missionWith(['a', 'b', 'c'], {
        allowParallelObjectives: true,
      })
      const runner = await world.connectedRunner({ id: mission.projectId })
      for (const one of mission.objectives) await alice.launch(one)

      const [, claimed] = await Promise.all([
        moveTo(alice, mission, 'cancelled', { cancelRunning: true }),
        runner.claim(),
      ])

      const left = (await alice.requestsOf(mission)).filter(({ status }) => status !== 'cancelled')
      expect(left.map(({ id }) => id)).toEqual(
        claimed.request ? [claimed.request.executionRequest.id] : [],
      )
      expect(left.every(({ cancelRequestedAt }) => cancelRequestedAt !== null)).toBe(true)
    }
  },
)

describe('in a closed mission', () => {
  test('a launch is refused, and names the move that opens it again', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    await moveTo(alice, mission, 'cancelled')

    const written = await world.rowsWrittenBy(() => alice.launch(mission.objectives[0]))

    expect(written).toMatchObject({
      rows: [],
      refusal: {
        code: 'objective_not_launchable',
        next: { operation: 'moveMission', params: { id: mission.displayId } },
      },
    })
    await moveTo(alice, mission, 'execute')
    expect((await alice.launch(mission.objectives[0])).reused).toBe(false)
  })

  test.for([
    [
      'complete',
      sql`status_id = (select id from project_statuses s where s.project_id = m.project_id and s.type = 'complete')`,
    ],
    [
      'cancelled',
      sql`status_id = (select id from project_statuses s where s.project_id = m.project_id and s.type = 'cancelled')`,
    ],
    ['deleted', sql`deleted_at = app.now()`],
  ] as const)('that is %s no claim takes a request', async ([, change], { world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    await alice.launch(mission.objectives[0])
    const runner = await world.connectedRunner({ id: mission.projectId })
    // no call of ours closes a mission over a queued request
    await sql`update missions m set ${change} where id = ${mission.id}`.execute(world.domain.db)

    expect((await runner.claim()).request).toBeNull()
  })

  test(
    'an attach is refused, and names the move that opens it again',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b'])
      const [a, b] = mission.objectives
      const { agent, runner, lease } = await world.attachedRun(a)
      await world.advance(1000)
      await world.settle()
      await moveTo(alice, mission, 'cancelled')
      const cancelled = {
        rows: [],
        refusal: {
          code: 'objective_not_launchable',
          next: { operation: 'moveMission', params: { id: mission.displayId } },
        },
      }

      for (const objectiveId of [undefined, b.displayId]) {
        const start = { missionId: mission.id, ...(objectiveId && { objectiveId }) }
        const attach = () => world.agentOf(alice, start).attach()
        expect(await world.rowsWrittenBy(attach)).toMatchObject(cancelled)
      }
      // a runner's token moves no mission, so that the way out is not offered with it
      const unopened = { rows: [], refusal: { code: 'objective_not_launchable', next: undefined } }
      for (const late of [() => agent.attach(), () => agent.update()]) {
        expect(await world.rowsWrittenBy(late)).toMatchObject(unopened)
      }
      await runner.heartbeat(lease)
      expect((await alice.mission(mission)).phase).toBe('cancelled')
      expect((await alice.objective(a)).state).toBe('submitted')

      await moveTo(alice, mission, 'execute')
      await agent.attach()
      expect((await alice.objective(a)).state).toBe('executing')
    },
  )

  test('the delivery of a run that was held lost stands, and the mission stays cancelled', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'], { auto_advance: true })
    const [a, b] = mission.objectives
    const { agent } = await world.attachedRun(a)
    await world.advance(1000)
    await world.settle()
    expect(await alice.objective(a)).toMatchObject({ state: 'submitted', lastOutcome: 'lost' })
    await moveTo(alice, mission, 'cancelled')
    const published = (await outboxOf(world, mission)).length

    const delivered = await agent.deliver()

    expect(delivered).toMatchObject({
      objective: { state: 'complete' },
      mission: { phase: 'cancelled' },
      next: { objectiveId: b.id, state: 'awaiting_approval' },
    })
    expect((await alice.mission(mission)).phase).toBe('cancelled')
    expect((await alice.objective(b)).approvalRefusal).toMatchObject({
      code: 'objective_not_launchable',
    })
    const types = (await outboxOf(world, mission)).slice(published).map((one) => one.type)
    expect(types).not.toContain('mission.status_changed')
  })
})
