import { test } from '../testing/world.ts'
import { expect } from 'vitest'

test('a launch that finds a run of another one’s runner tells its state and not its folder', async ({
  world,
}) => {
  const { alice, mission, project } = await world.missionWith(['write the docs'])
  const [objective] = mission.objectives
  await alice.launch(objective)
  const runner = await world.connectedRunner(project, { owner: world.bob })
  const lease = await runner.take()

  expect(await runner.launching(lease, 'svc/docs')).toMatchObject({ workingDirectory: '/src/work' })
  expect(await alice.launch(objective)).toMatchObject({
    reused: true,
    executionRequest: { status: 'launching', branch: 'svc/docs', workingDirectory: null },
  })
  expect(await world.bob.launch(objective)).toMatchObject({
    executionRequest: { workingDirectory: '/src/work' },
  })
  expect(await runner.released(lease)).toMatchObject({ workingDirectory: null })
})
