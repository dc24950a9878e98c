import { isServiceError } from '@svc/contracts/errors'
import type { Objective } from '@svc/contracts/objective'
import { advanceQueues } from '@svc/domain/run-queues/planner'
import type { World } from '@svc/testing/open-world'
import { leaseOf } from '@svc/testing/runner'
import { atOnce, countOf, require } from './at-once.ts'

const many = (count: number) => Array.from({ length: count }, (_, index) => index)
const parallel = { allowParallelObjectives: true }

type Race = (world: World, claims: number) => Promise<void>

/** Two queues of one project, with entries of two missions crosswise in them. */
async function crossed(world: World) {
  const { alice, project, mission } = await world.missionWith(['a', 'b', 'c', 'd'], parallel)
  const other = await world.missionWith(['e', 'f', 'g', 'h'], { project, ...parallel })
  const { queue: second } = await alice.call('createRunQueue', { id: project.id, name: 'Second' })
  const [first] = (await alice.call('listRunQueues', { id: project.id })).queues
  const queueIds = [first?.id ?? '', second.id]
  const objectives: Objective[] = [...mission.objectives, ...other.mission.objectives]
  for (const [index, { id }] of objectives.entries()) {
    await alice.call('updateObjective', { id, assigned_agent: 'scripted' })
    const queue = queueIds[(index + Math.floor(index / 4)) % 2] ?? ''
    await alice.call('queueObjective', { objectiveId: id, queue })
  }
  const runner = await world.connectedRunner(project)
  return { alice, project, missions: [mission, other.mission], objectives, queueIds, runner }
}

/** One run of an attached agent, beside what others do. */
async function attachedBeside(world: World, setUp: Parameters<World['missionWith']>[1]) {
  const { alice, mission, project } = await world.missionWith(['a', 'b', 'c', 'd'], setUp)
  const runner = await world.connectedRunner(project)
  const run = await world.attachedRun(mission.objectives[0], runner)
  return { alice, mission, project, ...run }
}

/** By the sentence that a client could say of them. */
export const races = {
  async 'a parallel flag that is toggled among launches lets through as many as it should'(world) {
    const { alice, mission } = await world.missionWith(many(12).map(String))
    const toggles = many(8).map((index) => () => {
      const allowParallelObjectives = index % 2 === 0
      return alice.call('updateMission', { id: mission.id, allowParallelObjectives })
    })
    const launches = mission.objectives.map((one) => () => alice.launch(one))
    const came = await atOnce([...launches, ...toggles])
    const launched = came.slice(0, launches.length)
    const { objectives } = await alice.mission(mission)
    const active = objectives.filter(({ state }) => state === 'launching')
    require(countOf(launched, 'done') === active.length, 'a launch was answered and is not there')
    require(active.length > 0, 'the first of them meets a mission in which nothing runs')
    const others = launched.filter((one) => one !== 'done' && one !== 'mission_busy')
    require(others.length === 0, `a launch was refused with ${others.join()}`)
  },

  async 'of 16 orders of a queue at one revision one wins, and the others are told it'(world) {
    const { alice, project, queueIds } = await crossed(world)
    const queue = async () => {
      const { queues } = await alice.call('listRunQueues', { id: project.id })
      return queues.find(({ id }) => id === queueIds[0]) ?? Promise.reject(new Error('gone'))
    }
    const { id, revision: expectedRevision, entries } = await queue()
    const ids = entries.map((entry) => entry.id)
    const told: unknown[] = []
    const came = await atOnce(
      many(16).map((by) => async () => {
        const at = (by % (ids.length - 1)) + 1
        const orderedEntryIds = [...ids.slice(at), ...ids.slice(0, at)]
        const order = { id, orderedEntryIds, expectedRevision }
        await alice.call('orderRunQueueEntries', order).catch((error: unknown) => {
          if (isServiceError(error)) told.push(error.details?.['currentOrder'])
          throw error
        })
      }),
    )
    require(countOf(came, 'done') === 1, 'one of them wins')
    require(countOf(came, 'order_conflict') === 15, 'the others are refused')
    const now = (await queue()).entries.map((entry) => entry.id).join()
    require(told.every((order) => String(order) === now), 'they are told the order that stands')
  },

  async 'of 16 orders of what is to come each is whole, and the last one stands'(world) {
    const { alice, mission, agent } = await attachedBeside(world, {})
    const ids = mission.objectives.slice(1).map(({ id }) => id)
    const orders = many(16).map((by) => [...ids.slice(by % 3), ...ids.slice(0, by % 3)])
    const came = await atOnce([
      ...orders.map(
        (objectiveIds) => () =>
          alice.call('reorderFutureObjectives', { id: mission.id, objectiveIds }),
      ),
      () => agent.deliver(),
    ])
    require(countOf(came, 'done') === 17, 'none of them refuses another')
    const { objectives } = await alice.mission(mission)
    const now = objectives.filter(({ id }) => ids.includes(id)).map(({ id }) => id)
    const possible = orders.map((order) => order.join())
    require(possible.includes(now.join()), 'what stands is one of the orders')
  },

  async 'deletes, launches, claims and orders of the same missions end as one after the other'(
    world,
  ) {
    const { alice, missions, objectives, queueIds, runner, project } = await crossed(world)
    const [mission, other] = missions
    const launched = objectives.filter((_, index) => index % 3 === 0)
    await Promise.all(launched.map((one) => alice.launch(one)))
    const remove = (some: readonly Objective[]) => () =>
      alice.call('deleteObjectives', { objectiveIds: some.map(({ id }) => id), confirm: true })
    const removeMissions = (some: readonly ({ id: string } | undefined)[]) => () =>
      alice.call('deleteMissions', { missionIds: some.map((one) => one?.id ?? ''), confirm: true })
    await atOnce([
      remove(objectives.slice(0, 5)),
      remove(objectives.slice(2, 7).toReversed()),
      ...objectives.map((one) => () => alice.launch(one)),
      ...many(4).map(() => () => runner.claim()),
      () =>
        alice.call('reorderFutureObjectives', {
          id: mission?.id ?? '',
          objectiveIds: objectives.slice(0, 4).map(({ id }) => id),
        }),
      ...queueIds.map((id) => () => alice.call('startRunQueue', { id })),
      () => advanceQueues(world.domain),
    ])
    await atOnce([
      removeMissions([mission, other]),
      removeMissions([other, mission]),
      ...many(4).map(() => () => runner.claim()),
      () => advanceQueues(world.domain),
    ])
    await alice.call('listRunQueues', { id: project.id })
  },

  async 'a delete and a delivery at once: the delivery stands, or the run went on'(world) {
    for (let round = 0; round < 4; round += 1) {
      const { alice, mission, agent } = await attachedBeside(world, { auto_advance: true })
      const [a] = mission.objectives
      const ids = round % 2 === 0 ? [a.id] : mission.objectives.slice(0, 2).map(({ id }) => id)
      const [delivered, removed] = await atOnce([
        () => agent.deliver(),
        () => alice.call('deleteObjectives', { objectiveIds: ids, confirm: true }),
      ])
      require(delivered === 'done', `the delivery was refused with ${delivered}`)
      require(removed === 'done' ||
        removed === 'mission_active', `the delete was refused with ${removed}`)
      const { deliveries } = await alice.call('listDeliveries', { id: mission.id })
      require(deliveries.length === 1, 'the work is kept')
    }
  },

  async 'starts, pauses, retries, removals and additions of two queues at once are each an answer'(
    world,
  ) {
    const { alice, project, objectives, queueIds, runner } = await crossed(world)
    await alice.call('startRunQueue', { id: queueIds[0] ?? '' })
    await runner.failed(await runner.take())
    const held = (await alice.call('listRunQueues', { id: project.id })).queues
      .flatMap(({ entries }) => entries)
      .find(({ state }) => state === 'held')
    const [one = '', two = ''] = queueIds
    await atOnce([
      ...queueIds.flatMap((id) => [
        () => alice.call('startRunQueue', { id }),
        () => alice.call('pauseRunQueue', { id }),
        () => alice.call('resumeRunQueue', { id }),
      ]),
      () => alice.call('retryRunQueueEntry', { id: held?.id ?? '' }),
      ...objectives.map(
        ({ id }, index) =>
          () =>
            alice.call('queueObjective', {
              objectiveId: id,
              queue: index % 2 === 0 ? one : two,
              front: index % 3 === 0,
            }),
      ),
      ...objectives.slice(0, 3).map(
        ({ id }) =>
          () =>
            alice.tool('svc_queue_objective', { objectiveId: id, remove: true }),
      ),
      ...many(6).map(() => () => advanceQueues(world.domain)),
      () => runner.claim(),
    ])
  },

  async 'a cancel and a delivery at once: the delivery wins'(world) {
    for (let round = 0; round < 4; round += 1) {
      const { alice, mission, agent, lease } = await attachedBeside(world, {})
      const cancels = many(4).map(
        () => () => alice.call('cancelExecutionRequest', { id: lease.id }),
      )
      const came = await atOnce([...cancels, () => agent.deliver()])
      require(countOf(came, 'done') === 5, `one was refused: ${came.join()}`)
      const [a] = mission.objectives
      require((await alice.objective(a)).state === 'complete', 'the objective is complete')
    }
  },

  async 'an answer, the end of its agent and a cancel at once leave no run without its question'(
    world,
  ) {
    for (let round = 0; round < 6; round += 1) {
      const { alice, agent, lease, runner } = await attachedBeside(world, {})
      const { questionId } = await agent.ask()
      await atOnce([
        ...many(16).map(() => () => alice.answer(questionId)),
        () => runner.exited(lease),
        ...(round % 2 === 0 ? [] : [() => alice.call('cancelExecutionRequest', { id: lease.id })]),
        () => agent.heartbeat(),
        () => world.settle(),
      ])
    }
  },

  async 'one mission launched by 32, and attached to by 16, runs once'(world) {
    const { alice, mission, project } = await world.missionWith(many(32).map(String))
    const runner = await world.connectedRunner(project)
    const came = await atOnce(mission.objectives.map((one) => () => alice.launch(one)))
    require(countOf(came, 'done') === 1, 'one launch wins')
    require(countOf(came, 'mission_busy') === 31, 'the others are told that the mission is busy')
    const lease = await runner.take()
    await runner.launching(lease)
    await atOnce([
      () => runner.launched(lease),
      ...many(16).map(() => () => runner.agent(lease).attach()),
    ])
  },

  async 'two deletes that name missions of two queues crosswise never wait in a circle'(world) {
    const { alice } = world
    for (let round = 0; round < 6; round += 1) {
      const project = await world.projectWith()
      await alice.call('createRunQueue', { id: project.id, name: 'Second' })
      const { queues } = await alice.call('listRunQueues', { id: project.id })
      // the queues of the first two missions are those of the last two in the other order
      const of = async (index: number) => {
        const { mission } = await world.missionWith(['a', 'b', 'c'], { project, ...parallel })
        for (const { id: objectiveId } of mission.objectives) {
          await alice.call('queueObjective', { objectiveId, queue: queues[index]?.id })
        }
        return mission
      }
      const pairs = [
        [await of(0), await of(1)],
        [await of(1), await of(0)],
      ]
      const came = await atOnce(
        pairs.map((missions) => () => {
          if (round % 2 === 0) {
            const missionIds = missions.map(({ id }) => id)
            return alice.call('deleteMissions', { missionIds, confirm: true })
          }
          const objectiveIds = missions.flatMap(({ objectives }) => objectives.map(({ id }) => id))
          return alice.call('deleteObjectives', { objectiveIds, confirm: true })
        }),
      )
      require(countOf(came, 'done') === 2, `one was refused: ${came.join()}`)
    }
  },

  async 'what 64 runners claim at once is claimed once each, and all of it'(world, claims) {
    const { alice } = world
    const project = await world.projectWith()
    const runner = await world.connectedRunner(project)
    for (let left = claims; left > 0; left -= 50) {
      const { mission } = await world.missionWith(many(Math.min(left, 50)).map(String), {
        project,
        ...parallel,
      })
      await Promise.all(mission.objectives.map((objective) => alice.launch(objective)))
    }
    const taken: string[] = []
    await atOnce(
      many(64).map((name) => async () => {
        const device = { fingerprint: `device-${name}`, label: 'x', platform: 'linux', arch: 'x64' }
        for (;;) {
          const answer = await runner.claim({ device })
          if (!answer.request) return
          taken.push(leaseOf(answer).id)
        }
      }),
    )
    require(new Set(taken).size === taken.length, 'one was given to two')
    require(taken.length === claims, `${claims - taken.length} were not claimed`)
  },
} satisfies Record<string, Race>

export type RaceName = keyof typeof races
// the keys of an object literal are its key type
export const raceNames = Object.keys(races) as RaceName[]
