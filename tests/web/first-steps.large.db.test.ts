import { expect } from 'vitest'
import { expectLive, test } from './scene.ts'

test('an empty workspace is led to its first delivery, by what the service has of it', async ({
  openApp,
  windowOf,
  scene,
}) => {
  const { world } = scene
  const { page: ofViewer } = await windowOf(world.vera)
  await ofViewer.goto('/w/here/projects')
  const { page, misdeeds } = await openApp()
  await page.goto('/')
  await expectLive(page)
  const steps = page.getByRole('region', { name: 'First steps' })
  const next = steps.locator('[aria-current="step"]')
  await next.getByText('Make a project').waitFor()

  // each is done elsewhere, and the page goes on
  const { project } = await world.alice.call('createProject', { name: 'Shop', slug: 'shop' })
  await next.getByText('Start a runner').waitFor()
  const command = `npm run -s svc -- login --url ${scene.baseUrl} --workspace here && npm run -s svc -- runner start`
  await next.getByText(command, { exact: true }).waitFor()
  await next.getByRole('button', { name: 'Where svc is installed' }).click()
  await next.getByText(`svc login --url ${scene.baseUrl} --workspace here`).waitFor()
  await world.connectedRunner(project, { label: 'lap', agents: ['scripted'] })
  await next.getByText('Link a repository').waitFor()
  await steps.getByText('lap, with scripted').waitFor()

  await world.alice.call('linkProjectResource', { id: project.id, resourceKey: 'shop' })
  await steps.getByText('shop is linked, and no runner has it yet').waitFor()
  await next.getByText('svc resource link shop .', { exact: true }).waitFor()
  // in the clone of svc a dot would be svc itself
  await next.getByRole('button', { name: 'In a clone of svc' }).click()
  await next.getByText('resource link').waitFor({ state: 'detached' })
  await next.getByLabel('Folder of the repository there').fill('~/code/shop')
  const linked = 'npm run -s svc -- resource link shop ~/code/shop'
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copy = next.getByRole('button', { name: `Copy ${linked}` })
  await copy.click()
  await expect.poll(() => copy.innerText()).toBe('Copied')
  // another command than the one that was copied
  await next.getByLabel('Folder of the repository there').fill('~/code/shop2')
  expect(await next.getByRole('button', { name: `Copy ${linked}2` }).innerText()).toBe('Copy')
  const runner = await world.connectedRunner(project, {
    label: 'box',
    agents: ['scripted'],
    resources: [{ projectId: project.id, resourceKey: 'shop' }],
  })
  await next.getByText('Write a mission').waitFor()

  await next.getByLabel('What the mission is about').fill('First words')
  await next.getByLabel('What its first objective is to do').fill('Write a greeting.')
  await page.reload()
  expect(await next.getByLabel('What the mission is about').inputValue()).toBe('First words')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/**', async (route) => {
    if (route.request().method() === 'GET') await released
    return route.fallback()
  })
  const write = next.getByRole('button', { name: 'Write it' })
  await write.click()
  // whoever presses it again before the page knows of the mission makes no second one
  for (const label of ['What the mission is about', 'What its first objective is to do']) {
    await expect.poll(() => next.getByLabel(label).inputValue()).toBe('')
  }
  expect(await write.isDisabled()).toBe(true)
  release()
  await next.getByRole('link', { name: 'Launch it' }).waitFor()

  // who may plan nothing is led nowhere
  await ofViewer.getByText('Shop', { exact: true }).waitFor()
  expect(await ofViewer.getByRole('region', { name: 'First steps' }).count()).toBe(0)

  await steps.getByRole('button', { name: 'Leave them aside' }).click()
  await next.waitFor({ state: 'detached' })
  await page.reload()
  await steps.getByText('4 of 7 done').waitFor()
  expect(await next.count()).toBe(0)
  await steps.getByRole('button', { name: 'Show them' }).click()

  const { objectives } = await world.alice.call('getMission', { id: 'shop:1' })
  const [objective] = objectives
  if (objective === undefined) throw new Error('the page has written an objective')
  const { agent } = await world.attachedRun(objective, runner)
  await next.getByRole('link', { name: 'Watch it' }).waitFor()
  await agent.deliver({ summary: 'Done.' })
  await next.getByRole('link', { name: 'Review it' }).waitFor()
  await world.alice.call('acceptMission', { id: 'shop:1' })
  await steps.waitFor({ state: 'detached' })

  expect(misdeeds).toEqual([])
})
