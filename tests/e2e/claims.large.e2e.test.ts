import type { Client } from '@svc/client/client'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import type { Scene } from './support/scene.ts'
import { test } from './support/test.ts'
import { until } from './support/until.ts'

test('runners whose claim is answered in vain get the same lease again', async ({ service }) => {
  await using scene = await service.scene()
  const machine = await scene.machine()
  await machine.connected()
  const lost = machine.proxy.loseAnswer('/api/runner/claim', (text) =>
    text.includes('"leaseToken"'),
  )
  const { id } = await scene.launch()
  const { body } = await lost
  expect(await scene.untilEnded()).toMatchObject({
    id,
    outcome: 'delivered',
    generation: 1,
    attempt: 1,
  })
  const [, claimId = ''] = /"claimId":"([^"]+)"/.exec(body) ?? []
  const claims = machine.proxy.seen.filter((call) => call.body.includes(claimId))
  expect(claims.length).toBeGreaterThan(1)
  expect(machine.runs()).toHaveLength(1)
  expect(await scene.countEvents('execution_claimed')).toBe(1)
})

describe('runners', () => {
  test(
    verifies(
      ['claim.atomic', 'runner.separate-process'],
      'that race for the same requests never both get one',
    ),
    async ({ service }) => {
      await using scene = await service.scene()
      const machines = [await scene.machine(), await scene.machine()]
      await Promise.all(machines.map((machine) => machine.connected()))
      const objectives = await addMissions(scene, 4)
      const launched = await Promise.all(
        objectives.map((id) => scene.client.call('launchObjective', { id, agent: 'quits' })),
      )
      const ids = launched.map(({ executionRequest }) => executionRequest.id)
      await Promise.all(ids.map((id) => ended(scene.client, id)))
      for (const id of ids) {
        const { executionRequest } = await scene.client.call('getExecutionRequest', { id })
        expect(executionRequest).toMatchObject({ status: 'failed', generation: 1, attempt: 1 })
        const holders = machines.filter((machine) => machine.hasRun(id, 1))
        expect(holders).toHaveLength(1)
      }
      expect(machines.flatMap((machine) => machine.runs())).toHaveLength(ids.length)
    },
  )

  test(
    verifies(
      ['claim.oldest-first', 'claim.project-scope'],
      'take the oldest request first, of their projects alone',
    ),
    async ({ service }) => {
      await using scene = await service.scene()
      await using stranger = await service.scene()
      const foreign = await stranger.launch('quits')
      const objectives = await addMissions(scene, 3)
      const ids: string[] = []
      for (const id of objectives) {
        const { executionRequest } = await scene.client.call('launchObjective', {
          id,
          agent: 'quits',
        })
        ids.push(executionRequest.id)
      }
      const machine = await scene.machine({ max: 1 })
      await Promise.all(ids.map((id) => ended(scene.client, id)))
      const order = machine
        .runs()
        .map(({ steps }) => steps[0]?.step === 'claimed' && steps[0].requestId)
      expect(order).toEqual(ids)
      expect((await stranger.request()).status).toBe('queued')
      expect(machine.hasRun(foreign.id, 1)).toBe(false)
    },
  )

  test('whose reports are answered in vain send them again, and nothing happens twice', async ({
    service,
  }) => {
    await using scene = await service.scene({ repository: true })
    const machine = await scene.machine()
    const calls = [
      '/launching',
      '/launched',
      '/attach',
      '/update',
      '/add-artifact',
      '/deliver',
      '/exited',
    ]
    const lost = calls.map((call) => machine.proxy.loseAnswer(call))
    await scene.launch()
    await Promise.all(lost)
    expect(await scene.untilEnded()).toMatchObject({
      outcome: 'delivered',
      generation: 1,
      exit: { exitCode: 0 },
    })
    await machine.settled()
    for (const type of [
      'execution_launched',
      'session_attached',
      'update',
      'artifact_added',
      'delivery',
    ]) {
      expect([type, await scene.countEvents(type)]).toEqual([type, 1])
    }
    const { deliveries } = await scene.client.call('listDeliveries', { id: scene.mission.id })
    expect(deliveries).toHaveLength(1)
  })
})

/** Missions of their own with one objective each, so that all can be launched at once. */
async function addMissions({ client, project }: Scene, count: number): Promise<string[]> {
  const made = Array.from({ length: count }, (_, index) =>
    client.call('createMission', {
      projectId: project.id,
      title: `Mission ${index}`,
      objectives: [{ instruction: 'Quit.' }],
    }),
  )
  return (await Promise.all(made)).flatMap(({ objectives }) => objectives.map(({ id }) => id))
}

async function ended(client: Client, id: string): Promise<void> {
  await until('the run is over', async () => {
    const { executionRequest } = await client.call('getExecutionRequest', { id })
    return executionRequest.endedAt !== null
  })
}
