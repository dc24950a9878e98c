import { openPlaceOn, serveApi } from '@svc/api/testing/serve-api'
import { createTestDatabase } from '@svc/testing/database'
import { expect, test } from 'vitest'

/** Two API processes on one database, and the people who call them. */
async function service(notify: 'on' | 'off') {
  await using opened = new AsyncDisposableStack()
  const { connectionString } = opened.use(await createTestDatabase())
  const { world } = opened.use(await openPlaceOn(connectionString, { SVC_NOTIFY: notify }))
  opened.use(await serveApi(connectionString, { SVC_NOTIFY: notify }))
  const kept = opened.move()
  return { world, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

test.each(['on', 'off'] as const)(
  'a queue is worked off delivery by delivery, with two API processes and hints %s',
  async (notify) => {
    await using at = await service(notify)
    const { world } = at
    const { alice, project, mission } = await world.missionWith(['a', 'b', 'c'])
    const runner = await world.connectedRunner(project)
    for (const { id } of mission.objectives) {
      await alice.call('updateObjective', { id, assigned_agent: 'scripted' })
      await alice.call('queueObjective', { objectiveId: id })
    }
    const queue = async () => {
      const { queues } = await alice.call('listRunQueues', { id: project.id })
      return queues[0]
    }
    await alice.call('startRunQueue', { id: (await queue())?.id ?? '' })
    for (const objective of mission.objectives) {
      await expect.poll(async () => (await alice.objective(objective)).state).toBe('launching')
      const lease = await runner.take()
      await runner.launching(lease)
      await runner.launched(lease)
      const agent = runner.agent(lease)
      await agent.attach()
      await agent.deliver()
    }
    expect(await queue()).toMatchObject({ state: 'idle', entries: [] })
    const requests = await alice.requestsOf(mission)
    expect(requests.map(({ source, outcome }) => [source, outcome])).toEqual(
      mission.objectives.map(() => ['run_queue', 'delivered']),
    )
  },
)
