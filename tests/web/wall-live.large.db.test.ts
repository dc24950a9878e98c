import { expect } from 'vitest'
import { openWall, wallLines, wallNumbers, wallRows } from './open-wall.ts'
import { test } from './scene.ts'

test('a wall shows what runs, what waits and what was done as it happens, and one key leads away from it', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const { project, mission } = await world.missionWith(['Theme switch'], { title: 'Themes' })
  const { displayId } = mission.objectives[0]
  const { page, misdeeds } = await openApp()
  await openWall(page, project)
  await page.getByText('Nothing needs anybody. No run is under way.').waitFor()
  const numbers = () => expect.poll(() => wallNumbers(page))
  const lines = () => expect.poll(() => wallLines(page))
  await numbers().toBe('0 need somebody, 0 run, 0 queued, 0 delivered today')

  await world.alice.launch(mission.objectives[0])
  await lines().toEqual([`◌queued ${displayId} Theme switch No runner offers scripted.`])
  await numbers().toBe('0 need somebody, 0 run, 1 queued, 0 delivered today')
  const runner = await world.connectedRunner(project, { label: 'lap-2' })
  const lease = await runner.take()
  await runner.launching(lease)
  await runner.launched(lease)
  const agent = runner.agent(lease)
  await agent.attach()
  await agent.heartbeat({ percent: 60, note: 'writing tests' })
  await lines().toEqual([`●running ${displayId} Theme switch 60 % writing tests`])

  const { questionId } = await agent.ask({ question: 'Keep the old name?' })
  await lines().toEqual([`?asks ${displayId} Keep the old name?`])
  await numbers().toBe('1 needs somebody, 1 runs, 0 queued, 0 delivered today')
  await wallRows(page).getByText('lap-2', { exact: true }).waitFor()
  const [size = 0] = await page.evaluate<number[]>(
    `[...document.querySelectorAll('main li')].map((row) => parseFloat(getComputedStyle(row).fontSize))`,
  )
  expect(size).toBeGreaterThanOrEqual(32)
  await world.bob.answer(questionId, 'Keep it.')
  await lines().toEqual([`●running ${displayId} Theme switch 60 % writing tests`])

  await agent.ask({ questionId })
  await agent.deliver()
  await lines().toEqual([`▣in review ${mission.displayId} Themes It was delivered.`])
  await numbers().toBe('1 needs somebody, 0 run, 0 queued, 1 delivered today')
  await world.alice.call('acceptMission', { id: mission.id })
  await page.getByText('Nothing needs anybody. No run is under way.').waitFor()

  // nothing of it is pressed
  expect(await page.getByRole('button').count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Needs you' }).waitFor()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Wall' }).click()
  await page.getByRole('list', { name: 'How much there is' }).waitFor()
  expect(misdeeds).toEqual([])
})
