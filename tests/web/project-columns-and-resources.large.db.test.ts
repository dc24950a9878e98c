import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { verifies } from '@svc/testing/verifies'
import { expect } from 'vitest'
import { programs } from '../e2e/support/programs.ts'
import { plainEnvironment } from '../e2e/support/processes.ts'
import { openRealScene } from './real-work.ts'
import { test } from './scene.ts'
import { openSettings } from './open-settings.ts'
import { columnLabels, columnRow, editLaunch, partOf, previewLine } from './settings-scene.ts'

test(
  verifies(
    'status.move',
    'a column is made, named, put in order by dragging and by keys, and deleted with its missions moved',
  ),
  async ({ openApp, scene }) => {
    const { world } = scene
    const { project, mission } = await world.missionWith([], { title: 'Dark icons' })
    const { page, misdeeds } = await openApp()
    await page.goto(`/w/here/p/${project.slug}`)
    const tabs = page.getByRole('navigation', { name: 'Pages of the project' })
    await tabs.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Launch settings' }).waitFor()
    expect(await tabs.locator('[aria-current="page"]').innerText()).toBe('Settings')
    expect(await page.title()).toBe(`Settings of ${project.name} · svc`)

    const columns = partOf(page, 'Columns')
    await page.keyboard.press('c')
    await page.keyboard.type('Ideas')
    await columns.getByLabel('What it means for a mission').selectOption('draft')
    await columns.getByRole('button', { name: 'Add the column' }).click()
    await columnRow(page, 'Ideas').getByRole('button', { name: 'Rename Ideas' }).click()
    await columns.getByLabel('Name of Ideas').fill('Thoughts')
    await page.keyboard.press('Enter')
    await columnRow(page, 'Thoughts').waitFor()

    const first = [
      'Thoughts',
      'Backlog',
      'In progress',
      'In review',
      'Done',
      'Blocked',
      'Cancelled',
    ]
    // dragging is loaded once a mouse moves
    await columnRow(page, 'Done').hover()
    await columns.locator('[data-sorted][draggable="true"]').first().waitFor()
    // below what stays on top of the window
    await columnRow(page, 'Done').evaluate((row) => row.scrollIntoView({ block: 'center' }))
    const grip = columnRow(page, 'Thoughts').locator('[data-grip]')
    await grip.dragTo(columnRow(page, 'Backlog'), { targetPosition: { x: 50, y: 4 } })
    await expect.poll(() => columnLabels(page)).toEqual(first)
    const { statuses } = await world.alice.call('listProjectStatuses', { id: project.id })
    await columnRow(page, 'Thoughts').getByRole('button', { name: 'Move down: Thoughts' }).focus()
    await page.keyboard.press('Alt+ArrowDown')
    const second = first.toSpliced(0, 2, 'Backlog', 'Thoughts')
    await expect.poll(() => columnLabels(page)).toEqual(second)
    const kept = async () => {
      const now = await world.alice.call('listProjectStatuses', { id: project.id })
      return now.statuses.map(({ label }) => label)
    }
    await expect.poll(kept).toEqual(second)
    expect(statuses.find(({ label }) => label === 'Thoughts')?.type).toBe('draft')

    await columnRow(page, 'Backlog').getByRole('button', { name: 'Delete Backlog' }).click()
    await columns.getByLabel('Missions of Backlog go to').selectOption('Thoughts')
    await columns.getByRole('button', { name: 'Delete the column' }).click()
    await columnRow(page, 'Backlog').waitFor({ state: 'detached' })
    expect((await world.alice.mission(mission)).status).toMatchObject({
      label: 'Thoughts',
      type: 'draft',
    })
    expect(misdeeds).toEqual([])
  },
)

test('a resource that is added waits for a runner that links it, and a check that is set is run before the delivery once its machine trusts it', async ({
  openApp,
  scene,
}) => {
  await using work = await openRealScene(scene, { repository: false })
  const { project, client } = work
  const machine = await work.machine()
  await machine.connected()
  /** As a person does who has copied it there. */
  const run = async (command: string) => {
    const { folder } = machine.home
    const script = `svc() { "$NODE" "$SVC" "$@"; }; ${command}`
    const env = {
      ...plainEnvironment(),
      NODE: process.execPath,
      SVC: programs.svc,
      HOME: join(folder, '..', 'home'),
      SVC_BACKEND_URL: machine.proxy.url,
      SVC_USER_TOKEN: work.token,
      SVC_RUNNER_HOME: folder,
    }
    await promisify(execFile)('sh', ['-c', script], { env })
  }
  const { page, misdeeds } = await openApp()
  await openSettings(page, scene, project)
  await page.getByText('There is no resource yet').waitFor()
  await page.keyboard.press('r')
  await page.getByRole('dialog', { name: 'Add a resource' }).getByLabel('Key').fill('tools')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Link a checkout of tools' })
  await dialog.getByText('Waiting for a runner that has it.').waitFor()
  const path = work.repositoryAt('my tools').path
  await dialog.getByRole('button', { name: 'Where svc is installed' }).click()
  await dialog.getByLabel('Folder of the repository there').fill(path)
  const link = await dialog.getByText(/^svc resource link /).innerText()
  expect(link).toBe(`svc resource link ${project.slug} '${path}' --key tools`)
  await run(link)
  await dialog.getByText(/ has it\.$/).waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const resource = page.locator('[data-resource="tools"]')
  await resource.getByText('connected', { exact: true }).waitFor()
  await resource.getByRole('list', { name: 'Runners with tools' }).getByText('here').waitFor()

  const form = await editLaunch(page)
  await form.getByRole('button', { name: 'Add a check' }).click()
  await page.keyboard.type('state')
  const check = form.getByRole('group', { name: 'check state' })
  await check.getByLabel('Command').fill('cat scripted-agent.md')
  await check.getByLabel('Seconds at most').fill('50')
  await previewLine(page, 'Before its delivery')
    .getByText('Then: state: cat scripted-agent.md (50 seconds at most)')
    .waitFor()
  await page.getByText('Once this is saved, each runner refuses the launch').waitFor()
  await page.keyboard.press('Control+Enter')
  await form.waitFor({ state: 'detached' })
  await page.getByText('Each runner refuses this launch until these settings are trusted').waitFor()
  const trust = await page.getByText(/^svc runner trust /).innerText()
  expect(trust).toBe(`svc runner trust ${project.slug}`)
  await run(`${trust} --yes`)

  await work.launch('scripted')
  expect(await work.untilEnded()).toMatchObject({ failure: null, outcome: 'delivered' })
  const { deliveries } = await client.call('listDeliveries', { id: work.mission.id })
  expect(deliveries).toMatchObject([
    { checks: { outcome: 'passed', results: [{ name: 'state', outcome: 'passed' }] } },
  ])
  expect(misdeeds).toEqual([])
})
