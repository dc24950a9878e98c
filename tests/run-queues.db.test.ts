import { ApiEnvironment } from '@svc/api/env'
import { openApi } from '@svc/api/server'
import { createLog } from '@svc/process/log'
import { createTestDatabase } from '@svc/testing/database'
import { openWorld } from '@svc/domain/testing/world'
import { expect, test, vi } from 'vitest'

const log = createLog({ name: 'test', level: 'silent' })
const secretKeys = `test:${Buffer.alloc(32, 7).toString('base64')}`

/** Two API processes on one database, and the people who call them. */
async function service(notify: 'on' | 'off') {
  await using opened = new AsyncDisposableStack()
  const { connectionString } = opened.use(await createTestDatabase())
  const environment = ApiEnvironment.parse({
    DATABASE_URL: connectionString,
    SVC_PORT: '0',
    SVC_SECRET_KEYS: secretKeys,
    SVC_DRAIN_SECONDS: '0',
    SVC_NOTIFY: notify,
  })
  const world = opened.use(await openWorld(connectionString))
  for (const _ of ['one', 'other']) opened.use(await openApi({ environment, log }))
  const kept = opened.move()
  return { world, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

test.each(['on', 'off'] as const)(
  'a queue is worked off delivery by delivery, with two API processes and hints %s',
  { timeout: 60_000 },
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
      await vi.waitUntil(async () => (await alice.objective(objective)).state === 'launching', {
        timeout: 30_000,
      })
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
