import { isServiceError } from '@svc/contracts/errors'
import { advanceQueues } from '@svc/domain/run-queues/planner/planner'
import { atOnce, countOf, require } from './at-once.ts'
import { type Race, attachedBeside, crossed, many } from './scene.ts'

/** What people and the planner do with run queues and orders at once. */
export const queueRaces = {
  async 'of 16 orders of a queue at one revision one wins, and the others are answered it'(world) {
    const { alice, project, queueIds } = await crossed(world)
    const queue = async () => {
      const { queues } = await alice.call('listRunQueues', { id: project.id })
      return queues.find(({ id }) => id === queueIds[0]) ?? Promise.reject(new Error('gone'))
    }
    const { id, revision: expectedRevision, entries } = await queue()
    const ids = entries.map((entry) => entry.id)
    const orders: unknown[] = []
    const came = await atOnce(
      many(16).map((by) => async () => {
        const at = (by % (ids.length - 1)) + 1
        const orderedEntryIds = [...ids.slice(at), ...ids.slice(0, at)]
        const order = { id, orderedEntryIds, expectedRevision }
        await alice.call('orderRunQueueEntries', order).catch((error: unknown) => {
          if (isServiceError(error)) orders.push(error.details?.['currentOrder'])
          throw error
        })
      }),
    )
    require(countOf(came, 'done') === 1, 'one of them wins')
    require(countOf(came, 'order_conflict') === 15, 'the others are refused')
    const now = (await queue()).entries.map((entry) => entry.id).join()
    require(orders.every(
      (order) => String(order) === now,
    ), 'they are answered the order that stands')
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
} satisfies Record<string, Race>
