import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { checkWith } from './support/check-with.ts'
import { programs } from './support/programs.ts'
import { startNode } from './support/processes.ts'
import { test } from './support/test.ts'

test('an agent whose check fails is shown what it printed, corrects it, and is delivered with what passed of its last commit', async ({
  service,
}) => {
  await using scene = await service.scene({ repository: true })
  const { client, token, mission, repository } = scene
  const machine = await scene.machine()
  await checkWith(
    { scene, machine },
    {
      state: { command: 'echo "my token is ${SVC_USER_TOKEN-kept}"; cat state; grep fine state' },
    },
  )
  await scene.launch('corrects-itself')
  expect(await scene.untilEnded()).toMatchObject({ failure: null, outcome: 'delivered' })

  const read = (name: string) => readFileSync(join(machine.home.folder, 'recorded', name), 'utf8')
  expect(read('refused')).toMatch(
    /^waiting for state before the delivery\n[^]*\[state failed with exit code 1 after [\d.]+ s\]\nmy token is kept\nbroken\ncheck_failed: Nothing was delivered: state failed /,
  )
  const { deliveries } = await client.call('listDeliveries', { id: mission.id })
  const head = repository.git('rev-parse', 'build-the-bridge-1')
  expect(deliveries).toMatchObject([
    {
      summary: 'Corrected.',
      checks: {
        outcome: 'passed',
        commit: head,
        dirty: false,
        attempts: 2,
        results: [{ name: 'state', exitCode: 0, output: 'my token is kept\nfine\nfine\n' }],
      },
    },
  ])
  const env = { SVC_BACKEND_URL: service.baseUrl, SVC_USER_TOKEN: token }
  const review = startNode(programs.svc, ['review', mission.displayId], { env })
  await review.ended
  expect(review.stdout()).toMatch(
    new RegExp(`Checks passed: state passed after [\\d.]+ s, at ${head.slice(0, 12)}\n`),
  )
})
