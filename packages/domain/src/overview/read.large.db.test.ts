import type { RouteOutput } from '@svc/contracts/rest'
import { commandOf } from '@svc/contracts/next-step'
import type { Person } from '../testing/people.ts'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

type Steps = RouteOutput<'getMissionOverview'>['nextSteps']

function commandsOf(steps: Steps): string[] {
  return steps.map(({ next }) => commandOf(next))
}

async function overviewOf(person: Person, { id }: { id: string }) {
  return await person.call('getMissionOverview', { id })
}

describe('the overview of a mission', () => {
  test('holds what its parts are read from, and what to do now', async ({ world }) => {
    const { alice, mission, project } = await world.missionWith(['a', 'b'])
    const [first, second] = mission.objectives
    await alice.call('updateObjective', { id: second.id, assigned_agent: 'scripted' })
    await alice.call('queueObjective', { objectiveId: second.id })
    const { agent } = await world.attachedRun(first)
    await agent.ask({ question: 'Tabs?' })

    const overview = await overviewOf(alice, mission)

    const { queues } = await alice.call('listRunQueues', { id: project.id })
    const { nextSteps: _own, ...queue } = queues[0] ?? { nextSteps: [] }
    const runs = await alice.requestsOf(mission)
    expect(overview).toMatchObject({
      ...(await alice.call('getMission', { id: mission.id })),
      executionRequests: await Promise.all(runs.map((run) => alice.request(run))),
      questions: await alice.questionsOf(mission),
      queues: [queue],
      deliveries: [],
      artifacts: [],
      branches: [],
      workers: [{ objectiveId: first.id, agent: 'scripted' }],
      calledOff: {},
      untaken: {},
      agents: ['scripted'],
    })
    expect(commandsOf(overview.nextSteps)).toEqual([
      `svc questions answer ${first.displayId} --text-file -`,
    ])
  })

  test('says of a run whose runner has gone away that nothing is heard of it, wherever it is listed', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    const { lease } = await world.attachedRun(objective)
    const { label } = (await alice.call('listRunners', {})).runners[0] ?? {}
    await world.advance(300)

    const said = `nothing is heard of the runner ${label}, which has it`
    const overview = await overviewOf(alice, mission)
    expect(overview.untaken).toEqual({ [lease.id]: expect.stringContaining(said) })
    const [first, second] = overview.nextSteps
    expect(first?.why).toMatch(`${objective.displayId}: ${said}`)
    expect(second).toMatchObject({ next: { operation: 'cancelObjective' } })
    const { untaken } = await alice.call('listExecutionRequests', {})
    expect(untaken).toMatchObject(overview.untaken)
    const { reason } = await alice.call('getExecutionRequest', { id: lease.id })
    expect(reason).toBe(untaken[lease.id])
  })

  test('offers nobody what they may not do, and shows no queue and no runner to who may see none', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    await alice.call('updateObjective', { id: objective.id, assigned_agent: 'scripted' })
    await alice.call('queueObjective', { objectiveId: objective.id })
    const whole = await overviewOf(alice, mission)
    expect(whole.queues).toHaveLength(1)
    expect(commandsOf(whole.nextSteps)).toContain(
      `svc queue start ${mission.displayId.split(':')[0]}`,
    )

    const viewer = await world.person('viewer')
    const seen = await overviewOf(viewer, mission)
    expect(seen.queues).toHaveLength(1)
    expect(seen.nextSteps).toEqual([])
    const reader = await alice.withToken({ permissions: ['mission:read'] })
    expect(await overviewOf(reader, mission)).toMatchObject({ queues: [], nextSteps: [] })
    expect(await overviewOf(reader, mission)).not.toHaveProperty('agents')
  })

  test('keeps the last run of each objective, however many came after it', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'])
    const [first, second] = mission.objectives
    const { executionRequest: old } = await alice.launch(first)
    await alice.call('cancelObjective', { id: first.id, reason: 'too slow' })
    for (let count = 0; count < 52; count += 1) {
      await alice.launch(second)
      await alice.call('cancelObjective', { id: second.id })
    }
    const { executionRequests, calledOff, nextSteps } = await overviewOf(alice, mission)
    expect(executionRequests).toHaveLength(51)
    expect(executionRequests.at(-1)?.id).toBe(old.id)
    expect(Object.keys(calledOff)).toContain(executionRequests[0]?.id)
    const whys = [first, second].map((one) => `${one.displayId}: its last run: cancelled`)
    expect(nextSteps.map(({ why }) => why).toSorted()).toEqual(whys.toSorted())
  })
})

describe('a run', () => {
  test('comes with why no runner takes it, and what to do about it', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    const { executionRequest } = await alice.launch(objective, { agent: 'nobody' })
    const { id } = executionRequest
    const shown = await alice.call('getExecutionRequest', { id })
    expect(shown.reason).toBe('no runner offers nobody')
    expect(commandsOf(shown.nextSteps)).toEqual([`svc cancel ${id}`])
    const viewer = await world.person('viewer')
    expect((await viewer.call('getExecutionRequest', { id })).nextSteps).toEqual([])

    await alice.call('cancelObjective', { id: objective.id, reason: 'too slow' })
    const ended = await alice.call('getExecutionRequest', { id })
    expect(ended.reason).toContain('too slow')
    expect(commandsOf(ended.nextSteps)).toEqual([
      `svc launch ${objective.displayId} --agent nobody`,
    ])
    await alice.call('moveMission', { id: mission.id, statusId: 'cancelled' })
    expect((await alice.call('getExecutionRequest', { id })).nextSteps).toEqual([])
  })
})
