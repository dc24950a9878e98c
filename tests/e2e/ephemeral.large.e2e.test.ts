import { openBareOrigin } from '@svc/testing/bare-origin'
import { test } from '@svc/testing/database'
import { expect } from 'vitest'
import { openPods } from './support/pods.ts'
import { openService } from './support/service.ts'
import { until } from './support/until.ts'

const count = 8
const ofMany = { timeout: 1_200_000 }
const patience = { seconds: 600 }
/** So many at once are slow on a machine of few cores; one that is killed still has to be found out. */
const slow = {
  SVC_LEASE_SECONDS: '60',
  SVC_ATTACH_SECONDS: '600',
  SVC_STALE_SECONDS: '60',
  SVC_LOST_SECONDS: '90',
}

test(
  'many machines at once empty the queue and are gone, one of them killed at work',
  ofMany,
  async ({ database }) => {
    await using service = await openService(database.connectionString, slow)
    using origin = openBareOrigin()
    await using scene = await service.scene({
      instructions: Array.from({ length: count }, (_, number) => `Write line ${number}.`),
      elsewhere: [{ resourceKey: 'web', cloneUrl: origin.url }],
      parallel: true,
    })
    await using pods = await openPods({ scene, service, origin })
    const { client, project, mission } = scene
    const waiting = async () =>
      (await client.call('countWaiting', { agents: 'scripted', projects: project.slug })).waiting
    const requests = async () => {
      const asked = { missionId: mission.id, limit: 100 }
      return (await client.call('listExecutionRequests', asked)).executionRequests
    }
    expect(await waiting()).toBe(0)
    for (const objective of scene.objectives) await scene.launch('scripted', 'web', objective)
    expect(await waiting()).toBe(count)

    const killed = pods.start({ SVC_SCRIPTED: 'hang-after-attach' })
    const others = Array.from({ length: count - 1 }, () => pods.start())
    for (const { svc } of others) {
      const { code } = await svc.ended
      expect({ code, output: svc.output() }).toMatchObject({ code: 0 })
    }
    expect(await waiting()).toBe(0)
    const hangs = (await requests()).filter(({ outcome }) => outcome !== 'delivered')
    expect(hangs).toMatchObject([{ outcome: 'running' }])
    await killed.kill()
    await until(
      'the killed run is lost',
      async () => {
        return (await requests()).some(({ outcome }) => outcome === 'lost')
      },
      patience,
    )
    expect(await waiting()).toBe(0)
    await client.call('resumeObjective', { id: hangs[0]?.objectiveId ?? '' })
    expect(await waiting()).toBe(1)
    await pods.run()

    expect(await waiting()).toBe(0)
    const delivered = (await requests()).filter(({ outcome }) => outcome === 'delivered')
    expect(new Set(delivered.map(({ objectiveId }) => objectiveId)).size).toBe(count)
    const branches = new Set(delivered.map(({ branch }) => branch ?? ''))
    expect(branches.size).toBe(count)
    for (const branch of branches) {
      expect(origin.git('show', `${branch}:scripted-agent.md`)).toContain('- Write line')
    }
    await until(
      'no runner is left',
      async () => {
        return (await client.call('listRunners', {})).runners.length === 0
      },
      patience,
    )
  },
)
