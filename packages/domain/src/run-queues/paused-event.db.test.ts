import { FullEnvelope, ThinEnvelope } from '@svc/contracts/webhook-envelope'
import { test } from '../testing/hooked-world.ts'
import { expect } from 'vitest'

test('a queue that the end of a run pauses is told to subscribers, and one that a person pauses is not', async ({
  hooked,
}) => {
  const { world, alice, subscribe, deliverDue, receiver } = hooked
  const { mission, project } = await world.missionWith(['a'])
  const [a] = mission.objectives
  await alice.call('updateObjective', { id: a.id, assigned_agent: 'scripted' })
  await alice.call('queueObjective', { objectiveId: a.id })
  const [queue] = (await alice.call('listRunQueues', { id: project.id })).queues
  const id = queue?.id ?? ''
  const eventTypes = ['svc:queue_paused']
  await subscribe({ eventTypes, payloadMode: 'thin' })
  await subscribe({ eventTypes, payloadMode: 'full' })

  await alice.call('pauseRunQueue', { id })
  await alice.call('startRunQueue', { id })
  const runner = await world.connectedRunner(project)
  await runner.failed(await runner.take())
  await deliverDue()

  const bodies = receiver.posts.map(({ body }) => body)
  expect(bodies).toHaveLength(2)
  const thin = ThinEnvelope.parse(bodies.find((body) => !('changedFiles' in body)))
  const full = FullEnvelope.parse(bodies.find((body) => 'changedFiles' in body))
  const objective = { id: a.id, state: 'submitted' }
  expect(thin).toMatchObject({ type: 'svc:queue_paused', objective, mission: { id: mission.id } })
  expect(thin.queue).toEqual({ id })
  expect(full).toMatchObject({ type: 'svc:queue_paused', objective })
  expect(full.queue).toEqual({ id, name: 'Default', reason: 'run_failed' })
})
