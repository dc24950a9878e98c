import { expect } from 'vitest'
import { openRunners, rowOf } from './open-runners.ts'
import { test } from './scene.ts'

test('a runner appears where its command was copied, shows what it runs, and is removed', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const { project, mission } = await world.missionWith(['Theme switch'], {
    resources: [{ resourceKey: 'web' }],
  })
  await world.connectedRunner(project, { label: 'lap-1' })
  const { page, misdeeds } = await openApp()
  await openRunners(page, scene)
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'Add a runner' })
  // on the computer of the service, which is mostly run from a clone
  await dialog.getByText(`npm run -s svc -- login --url ${scene.baseUrl}`).waitFor()
  await dialog.getByRole('button', { name: 'Where svc is installed' }).click()
  await dialog
    .getByText(`svc login --url ${scene.baseUrl} --workspace here && svc runner start`)
    .waitFor()
  await dialog.getByText('Waiting for the runner.').waitFor()
  // chosen once, for the commands of every page
  await dialog.getByRole('button', { name: 'In a clone of svc' }).click()
  await dialog.getByText('&& npm run -s svc -- runner start').waitFor()
  const runner = await world.connectedRunner(project, {
    label: 'box-9',
    resources: [{ projectId: project.id, resourceKey: 'web' }],
  })
  await dialog.getByText('box-9 is here.').waitFor()
  await dialog.getByLabel('Project', { exact: true }).selectOption(project.slug)
  await dialog.getByLabel('Folder of the repository there').fill('~/code/web')
  await dialog.getByText(`npm run -s svc -- resource link ${project.slug} ~/code/web`).waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.reload()

  const row = rowOf(page, 'box-9')
  await row.getByText('here', { exact: true }).waitFor()
  await row.getByText('alice, you').waitFor()
  await row.getByRole('list', { name: 'Checkouts' }).getByText('usable').waitFor()
  await row.getByText('On its machine').click()
  await row.getByText(`npm run -s svc -- runner trust ${project.slug}`).waitFor()

  const run = await world.attachedRun(mission.objectives[0], runner)
  const runs = row.getByRole('list', { name: 'Runs' })
  await runs.getByRole('link', { name: mission.objectives[0].displayId }).waitFor()
  const remove = async () => {
    await row.getByRole('button', { name: 'Remove …' }).click()
    const asked = page.getByRole('dialog', { name: 'Remove box-9' })
    await asked.getByRole('button', { name: 'Remove the runner' }).click()
    return asked
  }
  const refused = await remove()
  await refused.getByText('is at work on').waitFor()
  await refused.getByRole('button', { name: 'Keep it' }).click()
  await run.agent.deliver()
  await runner.exited(run.lease)
  await runs.waitFor({ state: 'detached' })
  await remove()
  await row.waitFor({ state: 'detached' })
  await rowOf(page, 'lap-1').waitFor()
  const { runners } = await world.alice.call('listRunners', {})
  expect(runners.map(({ label }) => label)).not.toContain('box-9')
  expect(misdeeds).toEqual([])
})

test('a runner that offers less than it has says why, until when, and what ends that', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const project = await world.projectWith([{ resourceKey: 'web' }])
  const runner = await world.connectedRunner(project, { label: 'old-1' })
  const { page } = await openApp()
  await openRunners(page, scene)
  await rowOf(page, 'old-1').waitFor()
  await runner.claim({
    projectIds: [project.id],
    agents: [{ key: 'codex', version: '0.169', path: '/bin/codex' }],
    heldAgents: [
      { key: 'claude', reason: 'quota', until: new Date(Date.now() + 3_600_000).toISOString() },
    ],
    resources: [
      { projectId: project.id, resourceKey: 'web', path: '/src/web', state: 'not_a_repository' },
    ],
  })
  const row = rowOf(page, 'old-1')
  await row.getByText('is not offered: The quota of its account is used up.').waitFor()
  await row.getByText('npm run -s svc -- runner agents retry claude').waitFor()
  await row.getByText('they are not made for each other').waitFor()
  await row.getByText('codex 0.169').waitFor()
  await row.getByText('no repository').waitFor()
  await row
    .getByText(
      'npm run -s svc -- resource link <project> <path> --key web && npm run -s svc -- runner start',
    )
    .waitFor()
})
