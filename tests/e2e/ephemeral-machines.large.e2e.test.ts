import { openBareOrigin } from '@svc/testing/bare-origin'
import { expect } from 'vitest'
import { asking, untilAsked } from './support/asking.ts'
import { openPods } from './support/pods.ts'
import { test } from './support/test.ts'

test('machines that are gone after one launch carry a mission on through a question, from origin alone', async ({
  service,
}) => {
  using origin = openBareOrigin()
  await using scene = await service.scene({
    ...asking,
    repository: false,
    elsewhere: [{ resourceKey: 'web', cloneUrl: origin.url }],
  })
  await using pods = await openPods({ scene, service, origin })
  const { client, project } = scene
  const waiting = async () =>
    (await client.call('countWaiting', { agents: 'scripted', projects: project.slug })).waiting
  expect(await waiting()).toBe(0)
  await scene.launch()
  expect(await waiting()).toBe(1)

  await pods.run()
  const { id } = await untilAsked(scene)
  await scene.untilRequest('parked', ({ outcome }) => outcome === 'parked')
  expect(await waiting()).toBe(0)
  await client.call('answerQuestion', { id, text: 'English.' })
  expect(await waiting()).toBe(1)

  await pods.run()
  const resumed = await scene.untilEnded()
  expect(resumed).toMatchObject({ kind: 'resume', outcome: 'delivered' })
  expect(origin.git('show', `${resumed.branch}:scripted-agent.md`)).toContain('- Write')
  const { deliveries } = await client.call('listDeliveries', { id: scene.mission.id })
  expect(deliveries).toMatchObject([
    { checks: { outcome: 'passed', results: [{ name: 'push to origin' }] } },
  ])
  expect((await client.call('listRunners', {})).runners).toEqual([])
})
