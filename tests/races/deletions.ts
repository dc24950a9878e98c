import type { Objective } from '@svc/contracts/objective'
import { advanceQueues } from '@svc/domain/run-queues/planner/planner'
import type { TestMission } from '@svc/domain/testing/plans'
import { atOnce, countOf, require } from './at-once.ts'
import { type Race, attachedBeside, crossed, many, parallel } from './scene.ts'

/** Deletions at the same time as whatever else is done with the same things. */
export const deletionRaces = {
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
      const { alice, mission, agent, lease } = await attachedBeside(world, { auto_advance: true })
      const [a] = mission.objectives
      const ids = round % 2 === 0 ? [a.id] : mission.objectives.slice(0, 2).map(({ id }) => id)
      const [delivered, removed] = await atOnce([
        () => agent.deliver(),
        () => {
          const running = [lease.id]
          return alice.call('deleteObjectives', { objectiveIds: ids, confirm: true, running })
        },
      ])
      require(delivered === 'done', `the delivery was refused with ${delivered}`)
      require(removed === 'done', `the delete was refused with ${removed}`)
      await alice.call('restoreObjective', { id: a.id })
      const { deliveries } = await alice.call('listDeliveries', { id: mission.id })
      require(deliveries.length === 1, 'the work is kept')
    }
  },

  async 'a delete of a mission during the delivery, the end and the restore of its run'(world) {
    for (let round = 0; round < 4; round += 1) {
      const { alice, mission, agent, lease, runner } = await attachedBeside(world, parallel)
      const sent = { missionIds: [mission.id], confirm: true, running: [lease.id] }
      const [, , removed] = await atOnce([
        () => agent.deliver(),
        () => runner.exited(lease),
        () => alice.call('deleteMissions', sent),
        ...(round % 2 === 0 ? [() => alice.call('restoreMission', { id: mission.id })] : []),
        () => alice.launch(mission.objectives[1]),
      ])
      require(removed === 'done', `the delete was refused with ${removed}`)
      await alice.call('restoreMission', { id: mission.id })
      const { endedAt } = await alice.request(lease)
      require(endedAt !== null, 'the run goes on')
    }
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

  async 'restores and deletes of the same mission and of its objectives end as one after the other'(
    world,
  ) {
    for (let round = 0; round < 4; round += 1) {
      const { alice, mission } = await world.missionWith(['a', 'b', 'c', 'd'], parallel)
      const [a, b] = mission.objectives
      const remove = () => alice.call('deleteMissions', { missionIds: [mission.id], confirm: true })
      const removeSome = () =>
        alice.call('deleteObjectives', { objectiveIds: [a.id, b.id], confirm: true })
      const restore = () => alice.call('restoreMission', { id: mission.id })
      const restoreOne =
        ({ id }: Objective) =>
        () =>
          alice.call('restoreObjective', { id })
      if (round % 2 === 0) await remove()
      else await removeSome()
      await atOnce([
        ...many(3).flatMap(() => [restore, remove, restoreOne(b), restoreOne(a), removeSome]),
        () => alice.launch(a),
      ])
      await restore()
      await atOnce([a, b].map(restoreOne))
      const { objectives } = await alice.mission(mission)
      require(objectives.length === 4, `${objectives.length} of 4 are there again`)
    }
  },

  async 'a deletion of 100 missions during launches of them takes all or none of them'(world) {
    const { alice } = world
    const project = await world.projectWith()
    const runner = await world.connectedRunner(project)
    const missions: TestMission<readonly ['a']>[] = []
    // one after the other: the race is that of the calls below, and so many at once may wait for a connection in vain
    for (const _ of many(100)) {
      missions.push((await world.missionWith(['a'], { project })).mission)
    }
    const remove = (some: typeof missions) => () =>
      alice.call('deleteMissions', { missionIds: some.map(({ id }) => id), confirm: true })
    const came = await atOnce([
      ...missions.slice(0, 10).map((one) => () => alice.launch(one.objectives[0])),
      remove(missions),
      remove(missions.toReversed()),
      ...missions.slice(-10).map((one) => () => alice.launch(one.objectives[0])),
      () => runner.claim(),
    ])
    const { missions: left } = await alice.call('listMissions', {
      projectId: project.id,
      limit: 200,
    })
    const removed = countOf(came.slice(10, 12), 'done')
    require(left.length === (removed === 0 ? 100 : 0), `${left.length} are left: ${came.join()}`)
  },
} satisfies Record<string, Race>
