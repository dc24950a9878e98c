import { advanceQueues } from '@svc/domain/run-queues/planner/planner'
import { prepareDelivery } from './agents.ts'
import { type Prepare, loop, route, scene } from './scene.ts'

/** What people and the planner do with a run queue. */
export const queueOperations = {
  // before those that leave queues owing: a planner serves all queues
  async dispatch(world) {
    const at = await scene(world)
    await at.enqueue(at.b)
    await (
      await prepareDelivery(at)
    )(world.domain)
    return { ...at, call: loop(advanceQueues) }
  },
  async enqueue(world) {
    const at = await scene(world)
    await at.enqueue(at.b)
    const order = { objectiveId: at.a.id, front: true }
    return { ...at, call: route(at.alice, 'queueObjective', order) }
  },
  async start(world) {
    const at = await scene(world)
    await at.enqueue(at.a, at.b)
    return { ...at, call: route(at.alice, 'startRunQueue', { id: (await at.queue()).id }) }
  },
  async retry(world) {
    const at = await scene(world)
    await at.enqueue(at.a, at.b)
    await at.alice.call('startRunQueue', { id: (await at.queue()).id })
    await at.runner.failed(await at.runner.take())
    const id = (await at.queue()).entries[0]?.id ?? ''
    return { ...at, call: route(at.alice, 'retryRunQueueEntry', { id }) }
  },
} satisfies Record<string, Prepare>
