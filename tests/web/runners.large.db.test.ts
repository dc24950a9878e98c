import { limits } from '@svc/contracts/limits'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { goTo } from '../pages/go-to.ts'
import { openMission } from './open-mission.ts'
import { openRunners, rowOf } from './open-runners.ts'
import { test } from './scene.ts'

test('a runner that nothing is heard of any more is shown as away, and comes back', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const project = await world.projectWith()
  const runner = await world.connectedRunner(project, { label: 'silent-1' })
  const { page } = await openApp()
  await openRunners(page, scene)
  const row = rowOf(page, 'silent-1')
  await row.getByText('here', { exact: true }).waitFor()
  await world.advance(120)
  // nobody tells of silence: the page looks for it
  await row.getByText('away', { exact: true }).waitFor()
  await row.getByText('On its machine').click()
  await row.getByText('npm run -s svc -- runner start', { exact: true }).waitFor()
  await runner.claim({ projectIds: [] })
  await row.getByText('here', { exact: true }).waitFor()
})

test('a runner that offers no agent is not ready, and its page says what makes it so', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const project = await world.projectWith()
  const { page } = await openApp()
  await openRunners(page, scene)
  await page.getByRole('button', { name: /^Add a runner/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a runner' })
  await dialog.getByText('Waiting for the runner.').waitFor()
  await world.connectedRunner(project, { label: 'bare', agents: [] })
  await dialog.getByText('bare is here, and is not ready yet.').waitFor()
  await dialog.getByText('SVC_SCRIPTED_AGENT=').waitFor()
  await page.keyboard.press('Escape')
  await rowOf(page, 'bare').getByText('no agent', { exact: true }).waitFor()
})

test('two runners of one name are told apart wherever they are named, and others are left alone', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const { project, mission } = await world.missionWith(['Theme switch', 'Tell of it'])
  await world.connectedRunner(project, { label: 'other' })
  await world.connectedRunner(project, { label: 'twin' })
  const { agent, lease } = await world.attachedRun(
    mission.objectives[0],
    await world.connectedRunner(project, { label: 'twin' }),
  )
  const { executionRequest: run } = await world.alice.call('getExecutionRequest', { id: lease.id })
  const { runners } = await world.alice.call('listRunners', {})
  const twins = runners.filter(({ label }) => label === 'twin').map(({ id }) => id.slice(-4))
  const { page, misdeeds } = await openApp()
  await openRunners(page, scene)
  for (const mark of twins) await rowOf(page, `twin (${mark})`).waitFor()
  await rowOf(page, 'other').getByRole('button', { name: 'other', exact: true }).waitFor()

  const mark = run.runnerId?.slice(-4)
  await goTo(page, scene, `/runs/${run.id}`)
  await page.getByRole('link', { name: `twin (${mark})`, exact: true }).waitFor()
  await goTo(page, scene, '/runs')
  await page.getByText(`scripted on twin (${mark})`).waitFor()

  await agent.deliver()
  await openMission(page, scene, mission.displayId)
  await page.keyboard.press('l')
  const sheet = page.getByRole('dialog', { name: /^Launch / })
  const listed = sheet.getByRole('region', { name: 'Who can take it' }).getByRole('listitem')
  for (const one of twins) await listed.filter({ hasText: `twin (${one})` }).waitFor()
  // a launch names one by its name
  await sheet
    .getByRole('option', { name: 'twin (any of 2 runners)' })
    .waitFor({ state: 'attached' })
  expect(misdeeds).toEqual([])
})

test('a runner is added by a key that is pressed before the list is there', async ({
  openApp,
  scene,
}) => {
  await scene.world.projectWith()
  const { page } = await openApp()
  const held = Promise.withResolvers<void>()
  await page.route(/\/api\/runners(?:\?|$)/, async (route) => {
    await held.promise
    await route.fallback()
  })
  await openRunners(page, scene)
  await page.keyboard.press('c')
  held.resolve()
  await page.getByRole('dialog', { name: 'Add a runner' }).waitFor()
})

test('a list that ends before its runners do says so', async ({ openApp, scene }) => {
  const { world } = scene
  const project = await world.projectWith()
  await world.connectedRunner(project, { label: 'many' })
  const { page } = await openApp()
  await openRunners(page, scene)
  await rowOf(page, 'many').waitFor()
  const said = page.getByText(`No more than ${limits.pageItemsMax} runners are listed`)
  expect(await said.count()).toBe(0)
  await sql`
    insert into runners
    select (jsonb_populate_record(r, jsonb_build_object(
             'id', gen_random_uuid(), 'fingerprint', 'many-' || n))).*
      from runners r, generate_series(1, ${limits.pageItemsMax}::int) n
     where r.label = 'many'`.execute(world.domain.db)
  await page.reload()
  await said.waitFor()
})
