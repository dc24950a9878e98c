import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type BareOrigin, openBareOrigin } from '@svc/testing/bare-origin'
import { temporaryFolder } from '@svc/testing/temporary'
import { expect } from 'vitest'
import { scriptedAgentMain } from './support/agents.ts'
import { asking, untilAsked } from './support/asking.ts'
import { cliMain } from './support/machine.ts'
import { startNode } from './support/processes.ts'
import type { Scene } from './support/scene.ts'
import { test } from './support/test.ts'

interface Pods {
  scene: Scene
  baseUrl: string
  runnerToken: string
  origin: BareOrigin
}

/** A machine of its own that is told to trust the project, takes one launch, and is gone. */
async function runPod({ scene, baseUrl, runnerToken, origin }: Pods): Promise<void> {
  using machine = temporaryFolder()
  const home = join(machine.path, 'home')
  mkdirSync(home)
  const env = {
    HOME: home,
    SVC_BACKEND_URL: baseUrl,
    SVC_RUNNER_HOME: join(machine.path, 'runner'),
    SVC_SCRIPTED_AGENT: scriptedAgentMain,
    ...origin.env,
  }
  const { slug } = scene.project
  const steps: [string[], string][] = [
    [['trust', slug, '--yes'], scene.token],
    [['once', '--ephemeral', '--project', slug, '--agent', 'scripted'], runnerToken],
  ]
  for (const [args, token] of steps) {
    const svc = startNode(cliMain, ['runner', ...args], {
      cwd: machine.path,
      env: { ...env, SVC_USER_TOKEN: token },
    })
    const { code } = await svc.ended
    expect({ code, output: svc.output() }).toMatchObject({ code: 0 })
  }
}

test('machines that are gone after one launch carry a mission on through a question, from origin alone', async ({
  service,
}) => {
  using origin = openBareOrigin()
  await using scene = await service.scene({
    ...asking,
    repository: false,
    elsewhere: [{ resourceKey: 'web', cloneUrl: origin.url }],
  })
  const { client, project } = scene
  const { baseUrl } = service
  const runnerToken = await service.token({ person: scene.person, preset: 'runner' })
  const pods = { scene, baseUrl, runnerToken, origin }
  const waiting = async () =>
    (await client.call('countWaiting', { agents: 'scripted', projects: project.slug })).waiting
  expect(await waiting()).toBe(0)
  await scene.launch()
  expect(await waiting()).toBe(1)

  await runPod(pods)
  const { id } = await untilAsked(scene)
  await scene.untilRequest('parked', ({ outcome }) => outcome === 'parked')
  expect(await waiting()).toBe(0)
  await client.call('answerQuestion', { id, text: 'English.' })
  expect(await waiting()).toBe(1)

  await runPod(pods)
  const resumed = await scene.untilEnded()
  expect(resumed).toMatchObject({ kind: 'resume', outcome: 'delivered' })
  expect(origin.git('show', `${resumed.branch}:scripted-agent.md`)).toContain('- Write')
  const { deliveries } = await client.call('listDeliveries', { id: scene.mission.id })
  expect(deliveries).toMatchObject([
    { checks: { outcome: 'passed', results: [{ name: 'push to origin' }] } },
  ])
})
