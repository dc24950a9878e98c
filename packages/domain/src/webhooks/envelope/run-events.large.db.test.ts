import { FullEnvelope, ThinEnvelope } from '@svc/contracts/webhook-envelope'
import { type Hooked, test } from '../../testing/hooked-world.ts'
import { outboxOf } from '../../testing/stored.ts'
import type { World } from '../../testing/world.ts'
import { describe, expect } from 'vitest'

const types = ['svc:run_failed', 'svc:run_lost', 'svc:run_cancelled', 'svc:awaiting_approval']

/** What subscribers hear of it, in both modes. */
async function heard({ deliverDue, receiver, subscribe }: Hooked, happens: () => Promise<unknown>) {
  await subscribe({ eventTypes: types, payloadMode: 'thin' })
  await subscribe({ eventTypes: types, payloadMode: 'full' })
  const before = receiver.posts.length
  await happens()
  await deliverDue()
  const bodies = receiver.posts.slice(before).map(({ body }) => body)
  expect(bodies).toHaveLength(2)
  return {
    thin: ThinEnvelope.parse(bodies.find((body) => !('changedFiles' in body))),
    full: FullEnvelope.parse(bodies.find((body) => 'changedFiles' in body)),
  }
}

async function runOf(world: World) {
  const { alice, mission } = await world.missionWith(['write the docs', 'read them'])
  const [objective] = mission.objectives
  const run = await world.attachedRun(objective)
  const cancel = () =>
    alice.call('cancelExecutionRequest', { id: run.lease.id, reason: 'the wrong branch' })
  return { alice, mission, objective, ...run, cancel }
}
type Run = Awaited<ReturnType<typeof runOf>>

describe('of a run that ends without a delivery subscribers are told', () => {
  test.for([
    {
      what: 'that its agent exited',
      type: 'svc:run_failed',
      reason: 'The agent ended without a delivery: exit code 3',
      end: ({ runner, lease }: Run) => runner.exited(lease, { exitCode: 3 }),
    },
    {
      what: 'that it was lost',
      type: 'svc:run_lost',
      reason: 'Nothing was heard of the agent for too long',
      end: async (_run: Run, world: World) => {
        await world.advance(1_000)
        await world.settle()
      },
    },
    {
      what: 'that a person cancelled it',
      type: 'svc:run_cancelled',
      reason: 'Cancelled: the wrong branch',
      end: async ({ cancel, runner, lease }: Run) => {
        await cancel()
        await runner.exited(lease, { cause: 'cancelled', exitCode: null, signal: 'SIGINT' })
      },
    },
  ])('$what, by $type and with the reason in a full payload', async (expected, { hooked }) => {
    const { world } = hooked
    const run = await runOf(world)
    const { thin, full } = await heard(hooked, () => expected.end(run, world))

    const objective = { id: run.objective.id, title: run.objective.title, state: 'submitted' }
    expect(thin).toMatchObject({ type: expected.type, objective, run: { id: run.lease.id } })
    expect(thin.run).toEqual({ id: run.lease.id })
    expect(full).toMatchObject({ type: expected.type, objective })
    expect(full.run).toEqual({ id: run.lease.id, agent: 'scripted', reason: expected.reason })
  })

  test('that its launch failed, by svc:run_failed', async ({ hooked }) => {
    const { world } = hooked
    const { alice, mission } = await world.missionWith(['write the docs'])
    const runner = await world.connectedRunner({ id: mission.projectId })
    await alice.launch(mission.objectives[0])
    const lease = await runner.take()
    const { full } = await heard(hooked, () => runner.failed(lease))
    const reason = 'agent_not_found: It is not installed.'
    expect(full).toMatchObject({
      type: 'svc:run_failed',
      objective: { state: 'draft' },
      run: { id: lease.id, reason },
    })
  })

  test('that a queued one was cancelled, and nothing of one that another launch replaced', async ({
    hooked,
  }) => {
    const { world } = hooked
    const { alice, mission } = await world.missionWith(['write the docs'])
    const [objective] = mission.objectives
    await alice.launch(objective)
    await alice.launch(objective, { agent: 'other' })
    expect(await outboxOf(world, mission)).toEqual([])
    const { thin } = await heard(hooked, () =>
      alice.call('cancelObjective', { id: objective.displayId }),
    )
    expect(thin).toMatchObject({ type: 'svc:run_cancelled', objective: { state: 'draft' } })
  })

  test('nothing where it is given back to the queue, or ends after its delivery', async ({
    hooked: { world },
  }) => {
    const { mission, runner, lease, agent } = await runOf(world)
    await agent.deliver()
    await runner.exited(lease)
    const given = await world.missionWith(['write the docs'])
    await given.alice.launch(given.mission.objectives[0])
    const other = await world.connectedRunner({ id: given.mission.projectId })
    await other.released(await other.take())
    const published = [
      ...(await outboxOf(world, mission)),
      ...(await outboxOf(world, given.mission)),
    ]
    expect(published.filter(({ type }) => type.startsWith('svc:run_'))).toEqual([])
  })
})

test('an objective that waits for a person after a delivery is told by svc:awaiting_approval', async ({
  hooked,
}) => {
  const { mission, agent } = await runOf(hooked.world)
  const { thin, full } = await heard(hooked, () => agent.deliver())
  const next = mission.objectives[1]
  const expected = {
    type: 'svc:awaiting_approval',
    mission: { displayId: mission.displayId },
    objective: { id: next.id, state: 'awaiting_approval' },
  }
  expect(thin).toMatchObject(expected)
  expect(full).toMatchObject(expected)
  expect([thin.run, full.run]).toEqual([undefined, undefined])
})
