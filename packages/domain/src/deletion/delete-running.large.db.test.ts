import { ServiceError } from '@svc/contracts/errors'
import { toolError } from '@svc/contracts/mcp/tool-result'
import { hearOfAll, jobsOf, outboxOf } from '../testing/stored.ts'
import type { Person } from '../testing/people.ts'
import { type World, test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

/** As a person does it: the list is looked at, and what it names is confirmed. */
async function removeMissions(person: Person, missions: readonly { id: string }[]) {
  const missionIds = missions.map(({ id }) => id)
  const { running } = await listed(person.call('deleteMissions', { missionIds }))
  return person.call('deleteMissions', { missionIds, confirm: true, running })
}

async function removeObjectives(person: Person, objectives: readonly { id: string }[]) {
  const objectiveIds = objectives.map(({ id }) => id)
  const { running } = await listed(person.call('deleteObjectives', { objectiveIds }))
  return person.call('deleteObjectives', { objectiveIds, confirm: true, running })
}

async function listed(call: Promise<unknown>) {
  const refusal = await refusalOf(call)
  expect(refusal.code).toBe('confirmation_required')
  // the list of this refusal
  return refusal.details as { running: string[] }
}

async function refusalOf(call: Promise<unknown>): Promise<ServiceError> {
  const refusal = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(refusal instanceof ServiceError)) throw new Error('it was not refused')
  return refusal
}

async function eventsOf(world: World, mission: { id: string }) {
  const outbox = await outboxOf(world, mission)
  expect(await jobsOf(world, outbox)).toHaveLength(outbox.length)
  return outbox.map(({ type }) => type)
}

describe('deleting what runs', () => {
  test.for(['claimed', 'started', 'attached'] as const)(
    'cancels the run of a %s agent once the list that names it is confirmed',
    async (stage, { world }) => {
      const { alice, mission, project } = await world.missionWith(['write', 'read'])
      const other = (await world.missionWith(['else'], { project })).mission
      const [objective] = mission.objectives
      const runner = await world.connectedRunner(project)
      const lease = await (async () => {
        if (stage === 'started') return (await world.startedRun(objective, runner)).lease
        if (stage === 'attached') return (await world.attachedRun(objective, runner)).lease
        await alice.launch(objective)
        return runner.take()
      })()

      const removed = await removeMissions(alice, [mission, other])

      expect(removed).toMatchObject({ cancelledRuns: 1, deleted: [{}, {}] })
      await expect(alice.mission(mission)).rejects.toMatchObject({ code: 'not_found' })
      const { id: requestId, leaseToken } = lease
      const { directives } = await runner.call('heartbeatRunner', {
        instanceId: runner.instanceId,
        leases: [{ requestId, leaseToken, state: 'running' }],
      })
      expect(directives).toMatchObject([{ type: 'cancel', requestId: lease.id }])
      await runner.exited(lease)
      const ended = { cancelRequestedAt: expect.any(String), endedAt: expect.any(String) }
      expect(await alice.request(lease)).toMatchObject(ended)
      const { objectives } = await alice.call('restoreMission', { id: mission.id })
      expect(objectives).toMatchObject([{ state: 'draft', lastOutcome: 'cancelled' }, {}])
      expect((await alice.launch(objective)).reused).toBe(false)
    },
  )

  test('ends at once what an agent began by itself', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write'])
    const own = world.agentOf(alice, { objectiveId: mission.objectives[0].displayId })
    await own.attach()
    expect(await removeMissions(alice, [mission])).toMatchObject({ cancelledRuns: 1 })
    await expect(own.deliver()).rejects.toMatchObject({ code: 'not_found' })
    const { objectives } = await alice.call('restoreMission', { id: mission.id })
    expect(objectives[0]).toMatchObject({ state: 'draft', lastOutcome: 'cancelled' })
  })

  test('is over after a minute without a word of the machine', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write'])
    const { lease, agent } = await world.attachedRun(mission.objectives[0])
    await removeMissions(alice, [mission])
    await world.settle()
    expect(await alice.request(lease)).toMatchObject({ outcome: 'running' })
    await world.advance(61)
    await world.settle()
    expect(await alice.request(lease)).toMatchObject({ outcome: 'cancelled' })
    await expect(agent.deliver()).rejects.toMatchObject({ code: 'not_found' })
  })

  test.for(['its end is told', 'a minute is over'])(
    'keeps the slot of its mission taken until %s',
    async (how, { world }) => {
      const { alice, mission } = await world.missionWith(['write', 'read'])
      const [write, read] = mission.objectives
      const { lease, runner } = await world.attachedRun(write)

      await removeObjectives(alice, [write])

      expect((await alice.mission(mission)).objectives).toMatchObject([{ id: read.id }])
      const busy = { code: 'mission_busy', message: expect.stringContaining('was deleted') }
      await expect(alice.launch(read)).rejects.toMatchObject(busy)
      if (how === 'its end is told') await runner.exited(lease)
      else {
        await world.advance(61)
        await world.settle()
      }
      expect((await alice.launch(read)).reused).toBe(false)
      const { objective } = await alice.call('restoreObjective', { id: write.id })
      expect(objective).toMatchObject({ state: 'draft', lastOutcome: 'cancelled', position: 2 })
    },
  )

  test('refuses all where something began to run after the list was made, with the new list', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a', 'b', 'c'], {
      allowParallelObjectives: true,
    })
    const [a, b, c] = mission.objectives
    const runner = await world.connectedRunner({ id: mission.projectId })
    const first = await world.startedRun(a, runner)
    await alice.launch(b)
    const objectiveIds = [a.id, b.id, c.id]
    const { running } = await listed(alice.call('deleteObjectives', { objectiveIds }))
    expect(running).toEqual([first.lease.id])
    const second = await runner.take()

    for (const confirmed of [running, undefined]) {
      const written = await world.rowsWrittenBy(() =>
        alice.call('deleteObjectives', { objectiveIds, confirm: true, running: confirmed }),
      )
      expect(written).toMatchObject({
        rows: [],
        refusal: {
          code: 'confirmation_required',
          details: { running: expect.arrayContaining([first.lease.id, second.id]) },
        },
      })
    }

    await runner.exited(first.lease)
    const now = [first.lease.id, second.id]
    const sent = { objectiveIds, confirm: true, running: now }
    expect(await alice.call('deleteObjectives', sent)).toMatchObject({ deleted: [{}, {}, {}] })
  })

  test('is confirmed by a hosted agent with the arguments that the refusal tells', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['write'])
    await world.attachedRun(mission.objectives[0])
    const missionIds = [mission.displayId]
    const refusal = await refusalOf(alice.tool('svc_delete_missions', { missionIds }))
    const [{ text } = { text: '' }] = toolError(refusal).content
    const shown: unknown = JSON.parse(text.slice(text.indexOf('{')))
    // the arguments of this very tool
    const confirmed = shown as Parameters<typeof alice.tool<'svc_delete_missions'>>[1]
    expect(await alice.tool('svc_delete_missions', confirmed)).toMatchObject({
      cancelledRuns: 1,
    })
  })

  test('sent again under its key gets the same answer', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write'])
    const { lease } = await world.attachedRun(mission.objectives[0])
    const sent = { missionIds: [mission.id], confirm: true, running: [lease.id] }
    const options = { idempotencyKey: crypto.randomUUID() }
    const first = await alice.call('deleteMissions', sent, options)
    expect(await alice.call('deleteMissions', sent, options)).toEqual(first)
  })

  test('pauses the queue that its run came from, and leaves it', async ({ world }) => {
    const { alice, mission, project } = await world.missionWith(['write', 'read'])
    const [write, read] = mission.objectives
    for (const { id } of [write, read]) {
      await alice.call('updateObjective', { id, assigned_agent: 'scripted' })
      await alice.call('queueObjective', { objectiveId: id })
    }
    const runner = await world.connectedRunner(project)
    const queueOf = async () => (await alice.call('listRunQueues', { id: project.id })).queues[0]
    await alice.call('startRunQueue', { id: (await queueOf())?.id ?? '' })
    const lease = await runner.take()
    await removeObjectives(alice, [write])
    await runner.failed(lease)
    await world.settle()
    expect(await queueOf()).toMatchObject({
      pauseReason: 'run_cancelled',
      entries: [{ objectiveId: read.id }],
    })
  })
})

describe('a delivery that comes before the end of a run that was deleted', () => {
  test.for(['its key', 'its objective'])(
    'stands, by %s, is kept with its events, launches nothing, and comes back with the mission',
    async (named, { world }) => {
      await hearOfAll(world)
      const { alice, mission } = await world.missionWith(['write', 'read'], { auto_advance: true })
      const [write] = mission.objectives
      const { agent, lease, runner } = await world.attachedRun(write)
      await removeMissions(alice, [mission])
      await expect(agent.update()).rejects.toMatchObject({ code: 'not_found' })

      const summary = 'Written in time.'
      const sessionKey = named === 'its key' ? agent.sessionKey() : write.displayId
      const sent = { sessionKey, summary }
      const delivered = await alice.protocol('deliver', sent)

      expect(delivered).toMatchObject({ objective: { state: 'complete' }, next: null })
      expect(await alice.protocol('deliver', sent)).toEqual(delivered)
      await expect(
        alice.protocol('deliver', { ...sent, summary: 'Something else.' }),
      ).rejects.toMatchObject({ code: 'not_found' })
      expect(await alice.request(lease)).toMatchObject({ outcome: 'delivered' })
      await runner.exited(lease)
      const events = await eventsOf(world, mission)
      expect(events).toEqual(expect.arrayContaining(['mission.delivered', 'objective.completed']))
      expect(events).not.toContain('svc:run_cancelled')

      const restored = await alice.call('restoreMission', { id: mission.id })
      expect(restored).toMatchObject({
        mission: { phase: 'review' },
        objectives: [{ state: 'complete' }, { state: 'draft' }],
      })
      const { deliveries } = await alice.call('listDeliveries', { id: mission.id })
      expect(deliveries).toMatchObject([{ id: delivered.deliveryId, summary }])
      const shown = (await alice.eventsOf(mission)).map(({ type }) => type)
      expect(shown).toEqual(expect.arrayContaining(['delivery', 'cancel_superseded']))
    },
  )

  test('leaves the order right next to one whose run was cancelled', async ({ world }) => {
    const { alice, mission, project } = await world.missionWith(['a', 'b', 'c'], {
      allowParallelObjectives: true,
    })
    const [a, b, c] = mission.objectives
    const runner = await world.connectedRunner(project)
    const first = await world.attachedRun(a, runner)
    const second = await world.attachedRun(b, runner)
    await removeMissions(alice, [mission])
    await second.agent.deliver()
    await runner.exited(first.lease)
    const { objectives } = await alice.call('restoreMission', { id: mission.id })
    expect(objectives.map(({ id, state, position }) => [id, state, position])).toEqual([
      [b.id, 'complete', 1],
      [a.id, 'draft', 2],
      [c.id, 'draft', 3],
    ])
  })

  test('of an objective alone comes back with it, and nothing is launched by it meanwhile', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'], { auto_advance: true })
    const [a, b] = mission.objectives
    const { agent } = await world.attachedRun(a)
    await removeObjectives(alice, [a])
    expect((await agent.deliver()).next).toBeNull()
    expect((await alice.objective(b)).state).toBe('draft')
    const { objective } = await alice.call('restoreObjective', { id: a.id })
    expect(objective).toMatchObject({ state: 'complete', position: 1 })
  })
})
