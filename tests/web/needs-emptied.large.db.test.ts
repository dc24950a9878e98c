import { expect } from 'vitest'
import { needNames, needRow, openNeeds } from './open-needs.ts'
import { expectLive, test } from './scene.ts'

test('what waits is answered, reviewed and launched from one page, which is empty then', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const { alice } = world
  const { page, misdeeds } = await openApp()
  await page.goto('/')
  await expectLive(page)
  await page.getByText('Nothing needs you. No run is under way.').waitFor()
  expect(await page.title()).toBe('Needs you · svc')

  const { project, mission } = await world.missionWith(['Theme switch', 'Tell people'], {
    title: 'Dark icons',
  })
  const [objective, next] = mission.objectives
  const runner = await world.connectedRunner(project, { label: 'lap-2' })
  const { agent } = await world.attachedRun(objective, runner)
  const running = page.getByRole('region', { name: 'Running now' })
  await running.getByText('scripted on lap-2').waitFor()
  await agent.heartbeat({ percent: 60, note: 'writing tests' })
  await running.getByText('writing tests').waitFor()

  const options = [
    { id: 'keep', label: 'Keep it' },
    { id: 'rename', label: 'Rename it' },
  ]
  const { questionId } = await agent.ask({ question: 'Keep the old name?', options })
  await needRow(page, objective.displayId).getByText('Keep the old name?').waitFor()
  await expect.poll(() => page.title()).toBe('(1) Needs you · svc')
  await page.getByRole('link', { name: 'Needs you 1' }).waitFor()
  await page.keyboard.press('2')
  await page.getByText('Answered. scripted goes on at once.').first().waitFor()
  await page.getByText('Nothing needs you. 1 run is under way').waitFor()
  expect(await agent.ask({ questionId })).toMatchObject({ answer: { optionId: 'rename' } })

  await agent.deliver({ report: { humanActions: [{ action: 'Rotate the key' }] } })
  const review = needRow(page, mission.displayId)
  await review.getByText('1 thing for you to do').waitFor()
  await review.getByRole('link', { name: 'Review' }).click()
  await page.waitForURL(`/w/here/m/${mission.displayId}/review`)
  await alice.call('acceptMission', { id: mission.id })
  await page.goBack()
  await page.getByText('Nothing needs you. No run is under way.').waitFor()

  await alice.call('moveMission', { id: mission.id, statusId: 'execute' })
  const approval = needRow(page, next.displayId)
  await approval.getByText('Its mission asks for a word of a person').waitFor()
  await approval.getByRole('button', { name: 'Launch …' }).click()
  const sheet = page.getByRole('dialog', { name: `Launch ${next.displayId}` })
  await sheet.getByRole('region', { name: 'Who can take it' }).getByText('lap-2').waitFor()
  await page.keyboard.press('Control+Enter')
  await approval.waitFor({ state: 'detached' })
  await running.getByText('queued').waitFor()
  expect(await alice.requestsOf(mission)).toHaveLength(2)
  expect(misdeeds).toEqual([])
})

test('a page says why no runner takes a launch', async ({ openApp, scene }) => {
  const { world } = scene
  const { project, mission } = await world.missionWith(['Write it'])
  await world.alice.launch(mission.objectives[0], { agent: 'rare' })
  const { page } = await openApp()
  await openNeeds(page, project)
  const running = page.getByRole('region', { name: 'Running now' })
  await running.getByText('No runner offers rare.').waitFor()
  expect(await needNames(page)).toEqual([])
  await world.connectedRunner(project, { agents: ['rare'] })
  await running.getByText('No runner offers rare.').waitFor({ state: 'detached' })
})

test('an answer that comes second says who answered, and is kept to copy', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const { project, mission } = await world.missionWith(['Ask'])
  const { agent } = await world.attachedRun(mission.objectives[0])
  const { questionId } = await agent.ask({ question: 'Which one?' })
  const { page } = await openApp()
  // nothing tells this page of what others do
  await page.route('**/api/feed*', (route) => route.abort())
  await page.goto(`/w/here?project=${project.slug}`)
  await page.getByRole('textbox', { name: 'An answer in your words' }).fill('The second one.')
  await world.bob.answer(questionId, 'The first one.')
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  const row = page.locator('[data-need]')
  await row.getByText('bob').waitFor()
  await row.getByText('The first one.').waitFor()
  await row.getByText('The second one.').waitFor()
  await row.getByRole('button', { name: 'Discard it' }).click()
  await row.waitFor({ state: 'detached' })
})
