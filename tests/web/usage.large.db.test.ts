import { expect } from 'vitest'
import { cellsOf, expectSameDrawn, rowsOf } from './open-usage.ts'
import { test } from './scene.ts'
import { endRun, makeUsage } from './usage-scene.ts'

test('what runs used and came to is shown as the service counts it, drawn as it is told, and as it happens; a budget raised there lets the next launch through', async ({
  openApp,
  scene,
  goTo,
}) => {
  const { world } = scene
  const { alice } = world
  const { project, runner, spent } = await makeUsage(world)
  const asked = { projectId: project.id, limit: 200 }
  const { page, misdeeds } = await openApp()
  await goTo(page, `/usage?project=${project.slug}`)

  const expectTold = async () => {
    const weeks = await alice.call('getUsage', { ...asked, by: 'week' })
    const byWeek = Object.fromEntries(weeks.rows.map((row) => [row.week, cellsOf(row)]))
    await expect.poll(() => rowsOf(page, 'Usage by week')).toEqual(byWeek)
    const agents = await alice.call('getUsage', { ...asked, by: 'agent' })
    const byAgent = agents.rows.map((row) => [JSON.stringify([row.agent, null]), cellsOf(row)])
    await expect.poll(() => rowsOf(page, 'Usage by agent')).toEqual(Object.fromEntries(byAgent))
    await expectSameDrawn(page)
    return weeks
  }
  const { rows, total } = await expectTold()
  expect(rows.length).toBe(4)
  expect([total.runs, total.ends]).toEqual([
    10,
    { delivered: 6, exited: 2, lost: 0, cancelled: 1, failed: 1 },
  ])
  // weeks and agents of which no cost is known are not free
  await page.getByText('cost not told by the tool').first().waitFor()
  await page.getByText('10 runs, $3.425 and 4 runs whose cost was not told by the tool').waitFor()

  // a run that ends
  const { mission } = await world.missionWith([], { project, title: 'Meanwhile' })
  const ended = { agent: 'scripted', end: 'delivered', usage: { usd: '7.5' } } as const
  await endRun(world, { mission, runner, run: ended })
  await page.getByText('11 runs, $10.925').waitFor()
  await expectTold()

  // one agent, and each of its models
  await page.getByRole('link', { name: 'claude' }).click()
  await page.getByRole('heading', { name: 'By week, of claude' }).waitFor()
  await page.getByText('4 runs, $2.625').waitFor()
  await expectSameDrawn(page)
  await page.getByRole('link', { name: 'All agents' }).click()
  await page.keyboard.press('m')
  const ofModels = page.getByRole('table', { name: 'Usage by agent' })
  await ofModels.getByText('large').waitFor()
  const models = await alice.call('getUsage', { ...asked, by: 'agent,model' })
  await expect
    .poll(() => rowsOf(page, 'Usage by agent'))
    .toEqual(
      Object.fromEntries(
        models.rows.map((row) => [JSON.stringify([row.agent, row.model]), cellsOf(row)]),
      ),
    )
  await page.goBack()

  // what holds a mission back is raised, and its next launch goes through
  await expect(alice.launch(spent.next)).rejects.toMatchObject({ code: 'budget_exhausted' })
  const held = page.getByRole('list', { name: 'Held back by their budget' })
  const row = held.getByRole('listitem').filter({ hasText: 'Rewrite the cart' })
  await row.getByText('Nothing more of it is launched.').waitFor()
  await row.getByText('$0.40 of $0.40').waitFor()
  const { displayId } = spent.mission
  await row.getByRole('button', { name: `Raise … budget of ${displayId}` }).click()
  const dialog = page.getByRole('dialog', { name: `Budget of ${displayId}` })
  await dialog.getByLabel('Budget in dollars').fill('3')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('No mission has used up its budget.').waitFor()
  const all = page.getByRole('list', { name: 'With a budget' })
  await all.getByText('$0.40 of $3.00').waitFor()
  await alice.launch(spent.next)
  await all.getByText('2 runs of 3 runs').waitFor()
  expect(misdeeds).toEqual([])
})

test('what is no number is kept as no bound by nobody, also where two change a budget at once', async ({
  openApp,
  scene,
  goTo,
}) => {
  const { world } = scene
  const { alice, bob } = world
  const { mission, project } = await world.missionWith(['one'])
  const budget = { usd: null, tokens: 40_000, runs: null }
  await alice.call('updateMission', { id: mission.id, budget })
  const { page } = await openApp()
  await goTo(page, `/usage?project=${project.slug}`)
  const { displayId } = mission
  await page.getByRole('button', { name: `Change … budget of ${displayId}` }).click()
  const dialog = page.getByRole('dialog', { name: `Budget of ${displayId}` })
  await dialog.getByLabel('Budget in tokens').fill('50k')
  await bob.call('updateMission', { id: mission.id, budget: { ...budget, runs: 3 } })
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await dialog.getByRole('button', { name: 'Keep mine' }).waitFor({ state: 'detached' })
  expect(await dialog.getByLabel('Budget in tokens').inputValue()).toBe('50k')
  await dialog.getByLabel('Budget in tokens').fill('50000')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { mission: kept } = await alice.call('getMission', { id: mission.id })
  expect(kept.budget).toEqual({ usd: null, tokens: 50_000, runs: null })
})

test('a budget is changed also where its mission is closed meanwhile, and so in no list any more', async ({
  openApp,
  scene,
  goTo,
}) => {
  const { alice, bob } = scene.world
  const { project, mission } = await scene.world.missionWith(['a'])
  const { id, displayId } = mission
  await alice.call('updateMission', { id, budget: { usd: '5' } })
  const { page } = await openApp()
  await goTo(page, `/usage?project=${project.slug}`)
  await page.getByRole('button', { name: `Change … budget of ${displayId}` }).click()
  const dialog = page.getByRole('dialog', { name: `Budget of ${displayId}` })
  await dialog.getByLabel('Budget in dollars').fill('7')
  const { statuses } = await alice.call('listProjectStatuses', { id: project.id })
  const closed = statuses.find(({ type }) => type === 'complete')?.id ?? ''
  await bob.call('moveMission', { id, statusId: closed })
  await page
    .getByText('No mission that is not closed has a budget.', { exact: false })
    .waitFor({ state: 'attached' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await alice.mission(mission)).budget).toMatchObject({ usd: '7' })
})
