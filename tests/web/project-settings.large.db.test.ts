import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { test } from './scene.ts'
import { openSettings } from './open-settings.ts'
import {
  columnLabels,
  columnRow,
  editLaunch,
  everySetting,
  partOf,
  previewLine,
} from './settings-scene.ts'

const conflictOf = (page: Page, what: string) =>
  page.getByRole('region', { name: `Changed by somebody else: ${what}` })

describe('what two people change at once is lost of neither:', () => {
  test('the same launch setting is shown as both have it, and another one goes on top', async ({
    openApp,
    scene,
  }) => {
    const { alice } = scene.world
    const { id, slug } = await scene.world.projectWith()
    const agents = { claude: { model: 'opus' } }
    await alice.call('updateLaunchSettings', { id, agents, allowedCommands: ['npm test'] })
    const { page, misdeeds } = await openApp()
    await openSettings(page, scene, { slug })
    const form = await editLaunch(page)
    await form.getByLabel('Commands that agents may run').fill('npm test\nmake lint')
    await form.getByLabel('Command in front of the agent').fill('nvm exec')

    // of what is not written here nothing is in the way
    await alice.call('updateLaunchSettings', { id, pushBranches: true })
    await expect.poll(() => form.getByLabel('Runners push them to origin').isChecked()).toBe(true)
    expect(await page.getByRole('region', { name: 'Changed by somebody else' }).count()).toBe(0)

    await alice.call('updateLaunchSettings', { id, allowedCommands: ['npm test', 'make check'] })
    const conflict = conflictOf(page, 'Commands that agents may run')
    await conflict.getByText('Yours: lint').waitFor()
    await conflict.getByText('Theirs: check').waitFor()
    expect(await form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await page.reload()
    await conflict.getByText('Yours: lint').waitFor()
    expect(await form.getByLabel('Command in front of the agent').inputValue()).toBe('nvm exec')
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await conflict.waitFor({ state: 'detached' })
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    const read = async () => (await alice.call('getLaunchSettings', { id })).launchSettings
    expect(await read()).toMatchObject({
      preCommand: 'nvm exec',
      allowedCommands: ['npm test', 'make lint'],
      pushBranches: true,
      agents,
    })

    const again = await editLaunch(page)
    await again.getByRole('group', { name: 'agent claude' }).getByLabel('Model').fill('sonnet')
    await alice.call('updateLaunchSettings', { id, agents: { claude: { model: 'haiku' } } })
    const ofAgents = conflictOf(page, 'Agents')
    await ofAgents.getByText('Theirs: haiku').waitFor()
    await ofAgents.getByText('Yours: sonnet').waitFor()
    await ofAgents.getByRole('button', { name: 'Take theirs' }).click()
    await expect
      .poll(() =>
        again.getByRole('group', { name: 'agent claude' }).getByLabel('Model').inputValue(),
      )
      .toBe('haiku')
    expect((await read()).agents).toEqual({ claude: { model: 'haiku' } })
    expect(misdeeds).toEqual([])
  })

  test('the name of a project, and that of a column', async ({ openApp, scene }) => {
    const { alice, bob } = scene.world
    const project = await scene.world.projectWith()
    const { id } = project
    const { page } = await openApp()
    await openSettings(page, scene, project)
    await page.keyboard.press('e')
    const form = page.getByRole('form', { name: 'The project' })
    await form.getByLabel('Name').fill('Web shop')
    await form.getByLabel('Minutes that a run may take').fill('90')
    await bob.call('updateProject', { id, name: 'Web market', defaultBranch: 'trunk' })
    const conflict = conflictOf(page, 'Name')
    await conflict.getByText('Theirs: market').waitFor()
    expect(await form.getByLabel('Default branch').inputValue()).toBe('trunk')
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Web shop' }).waitFor()
    const { project: saved } = await alice.call('getProject', { id })
    expect(saved).toMatchObject({ name: 'Web shop', defaultBranch: 'trunk', maxRuntimeMinutes: 90 })

    await columnRow(page, 'Blocked').getByRole('button', { name: 'Rename Blocked' }).click()
    const field = page.getByLabel('Name of Blocked')
    await field.fill('Waits for others')
    const { statuses } = await alice.call('listProjectStatuses', { id })
    const statusId = statuses.find(({ label }) => label === 'Blocked')?.id ?? ''
    await bob.call('renameProjectStatus', { id, statusId, label: 'Waits for us' })
    const ofColumn = page.getByRole('region', { name: 'Changed by somebody else' })
    await ofColumn.getByText('Yours: others').waitFor()
    await ofColumn.getByRole('button', { name: 'Keep mine' }).click()
    await columnRow(page, 'Waits for others').waitFor()
  })

  test('an order of columns that somebody else has made first is not overwritten', async ({
    openApp,
    scene,
  }) => {
    const { alice, bob } = scene.world
    const { id, slug } = await scene.world.projectWith()
    const { page } = await openApp()
    await openSettings(page, scene, { slug })
    await columnRow(page, 'Backlog').waitFor()
    const idsNow = async () =>
      (await alice.call('listProjectStatuses', { id })).statuses.map((status) => status.id)
    const statusIds = await idsNow()
    // what is shown stays as it is, while others do what they do
    const { promise: mayRead, resolve } = Promise.withResolvers<void>()
    await page.route('**/api/projects/*/statuses', async (route) => {
      await mayRead
      await route.continue()
    })
    await bob.call('updateProject', { id, maxRuntimeMinutes: 30 })
    const up = async (label: string) => {
      const row = columnRow(page, label)
      await row.getByRole('button', { name: `Move up: ${label}` }).click()
    }
    await up('Done')
    const first = ['Backlog', 'In progress', 'Done', 'In review', 'Blocked', 'Cancelled']
    await expect.poll(async () => (await idsNow())[2]).toBe(statusIds[3])
    expect(await page.getByRole('status').getByText('another order').count()).toBe(0)

    await bob.call('orderProjectStatuses', { id, statusIds: statusIds.toReversed() })
    await up('Blocked')
    await partOf(page, 'Columns')
      .getByText('Somebody else has put the columns in another order, so Blocked was not moved.')
      .waitFor()
    expect(await idsNow()).toEqual(statusIds.toReversed())
    resolve()
    await expect.poll(() => columnLabels(page)).not.toEqual(first)
    await page.getByRole('button', { name: 'Move it all the same' }).click()
    await expect.poll(async () => (await idsNow()).indexOf(statusIds[4] ?? '')).not.toBe(1)
  })
})

describe('launch settings', () => {
  test('are all written in one form, which is kept as it is typed', async ({ openApp, scene }) => {
    const { alice } = scene.world
    const { id, slug } = await scene.world.projectWith()
    const { page, misdeeds } = await openApp()
    await openSettings(page, scene, { slug })
    const form = await editLaunch(page)
    await form.getByLabel('Command in front of the agent').fill('nvm exec')
    const add = (what: string) =>
      form.getByRole('button', { name: new RegExp(`^Add an? ${what}$`) })
    for (const command of ['. venv/bin/activate', 'pnpm install --frozen-lockfile']) {
      await add('command').click()
      await page.keyboard.type(command)
    }
    await form.getByRole('button', { name: 'Move up: command 2' }).click()
    for (const [name, value] of Object.entries(everySetting.launchEnvVars)) {
      await add('variable').click()
      await page.keyboard.type(name)
      const row = form.getByRole('group', { name: `variable ${name}` })
      await row.getByLabel('Value').fill(value)
    }
    await add('agent').click()
    await page.keyboard.type('claude')
    const claude = form.getByRole('group', { name: 'agent claude' })
    await claude.getByLabel('Model').fill('opus')
    await claude.getByLabel('Effort').fill('high')
    await claude.getByLabel('Flags').fill('--fast\n--loud')
    await add('agent').click()
    await page.keyboard.type('codex')
    const codex = form.getByRole('group', { name: 'agent codex' })
    await codex.getByLabel('Rights').selectOption('read')
    await codex.getByText('It may look at files and report through svc').waitFor()
    await form.getByLabel('Commands that agents may run').fill('npm test\nmake lint\n')
    for (const name of ['lint', 'test']) {
      await add('check').click()
      await page.keyboard.type(name)
      const row = form.getByRole('group', { name: `check ${name}` })
      await row.getByLabel('Command').fill(name === 'lint' ? 'npm run lint' : 'npm test')
    }
    await form.getByRole('group', { name: 'check test' }).getByLabel('Seconds at most').fill('90')

    await page.reload()
    await form.waitFor()
    expect(await claude.getByLabel('Flags').inputValue()).toBe('--fast\n--loud')
    const { launchSettings: none } = await alice.call('getLaunchSettings', { id })
    expect(none.revision).toBe(1)
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    const { launchSettings } = await alice.call('getLaunchSettings', { id })
    expect(launchSettings).toEqual({ ...everySetting, pushBranches: false, revision: 2 })

    const facts = partOf(page, 'Launch settings')
    await facts.getByText('NODE_ENV', { exact: true }).first().waitFor()
    expect(await facts.innerText()).not.toContain('hush-hush')
    await facts.getByRole('button', { name: 'Show the values of variables' }).click()
    await facts.getByText('API_KEY=hush-hush').first().waitFor()

    const again = await editLaunch(page)
    await again.getByRole('button', { name: 'Remove variable API_KEY' }).click()
    await again.getByRole('button', { name: 'Discard' }).click()
    await page.reload()
    await facts.getByText('API_KEY', { exact: true }).first().waitFor()
    expect(await page.getByRole('form', { name: 'Launch settings' }).count()).toBe(0)
    expect(misdeeds).toEqual([])
  })

  test('that are refused say so at their field, until they will do', async ({ openApp, scene }) => {
    const { alice } = scene.world
    const { id, slug } = await scene.world.projectWith()
    const { page } = await openApp()
    await openSettings(page, scene, { slug })
    const form = await editLaunch(page)
    const save = form.getByRole('button', { name: 'Save' })
    const add = (what: string) =>
      form.getByRole('button', { name: new RegExp(`^Add an? ${what}$`) })
    await add('variable').click()
    await page.keyboard.type('A B')
    await add('check').click()
    await page.keyboard.type('test')
    const check = form.getByRole('group', { name: 'check test' })
    await check.getByLabel('Seconds at most').fill('90000')
    await form.getByLabel('Commands that agents may run').fill('*')
    await save.click()
    const bad = form.locator('[aria-invalid="true"]')
    await form.getByText('use letters, digits and underscores', { exact: true }).waitFor()
    await check.getByText('it is empty').waitFor()
    await check.getByText('give at most 3600').waitFor()
    await form.getByText('use plain words such as `npm test`').first().waitFor()
    expect(await bad.count()).toBe(4)
    const isAtProblem = () =>
      page.evaluate<boolean>(`document.activeElement.getAttribute('aria-invalid') === 'true'`)
    await expect.poll(isAtProblem).toBe(true)

    await page.keyboard.press('Control+A')
    await page.keyboard.type('A_B')
    await check.getByLabel('Command').fill('npm test')
    await check.getByLabel('Seconds at most').fill('soon')
    await form.getByLabel('Commands that agents may run').fill('npm test')
    await expect.poll(() => bad.count()).toBe(1)
    await save.click()
    await check.getByText('give a whole number of seconds').waitFor()
    await check.getByLabel('Seconds at most').fill('')
    await add('variable').click()
    await page.keyboard.type('A_B')
    await save.click()
    await form.getByText('this name stands twice').first().waitFor()
    expect((await alice.call('getLaunchSettings', { id })).launchSettings.revision).toBe(1)
    await form.getByRole('button', { name: 'Remove variable A_B' }).last().click()
    await save.click()
    await form.waitFor({ state: 'detached' })
    expect((await alice.call('getLaunchSettings', { id })).launchSettings).toMatchObject({
      launchEnvVars: { A_B: '' },
      checks: { test: { command: 'npm test' } },
    })
  })

  test('show what a launch would be made with, before they are saved and for each agent', async ({
    openApp,
    scene,
  }) => {
    const { alice } = scene.world
    const project = await scene.world.projectWith()
    const { id } = project
    await alice.call('updateLaunchSettings', { id, ...everySetting })
    const { page } = await openApp()
    await openSettings(page, scene, project)
    await page.getByLabel('With the agent').selectOption('claude')
    await previewLine(page, 'Started as').getByText('nvm exec claude --fast --loud').waitFor()
    await previewLine(page, 'Model').getByText('opus').waitFor()
    await previewLine(page, 'Before its delivery').getByText('test: npm test (90 seconds').waitFor()
    await page
      .getByText(`npm run -s svc -- runner trust ${project.slug}`, { exact: true })
      .waitFor()
    expect(await partOf(page, 'Preview of a launch').innerText()).not.toContain('hush-hush')
    await page.getByLabel('With the agent').selectOption('codex')
    await previewLine(page, 'Started as').getByText('nvm exec codex', { exact: true }).waitFor()
    await previewLine(page, 'It may').getByText('look at files and report').waitFor()

    const form = await editLaunch(page)
    await form.getByRole('group', { name: 'agent codex' }).getByLabel('Rights').selectOption('all')
    const rights = previewLine(page, 'It may')
    await rights.locator('del').getByText('look at files and report').waitFor()
    await rights.locator('ins').getByText('do without being asked').waitFor()
    await form.getByRole('button', { name: 'Move down: command 1' }).click()
    const commands = previewLine(page, 'Before the agent')
    await expect.poll(() => commands.locator('ins').count()).toBe(2)
    await form.getByRole('button', { name: 'Remove check lint' }).click()
    await previewLine(page, 'Before its delivery')
      .locator('del')
      .getByText('lint: npm run lint')
      .waitFor()
    // what others save is what it is now
    await alice.call('updateLaunchSettings', { id, preCommand: null })
    await previewLine(page, 'Started as').getByText('codex', { exact: true }).waitFor()
    const { launchSettings } = await alice.call('getLaunchSettings', { id })
    expect(launchSettings).toMatchObject({ agents: everySetting.agents, revision: 3 })
  })

  test('that got no answer are saved once, however often they are sent', async ({
    openApp,
    scene,
  }) => {
    const { alice } = scene.world
    const { id, slug } = await scene.world.projectWith()
    const { page } = await openApp()
    await openSettings(page, scene, { slug })
    const form = await editLaunch(page)
    await form.getByLabel('Command in front of the agent').fill('nvm exec')
    // each try is carried out, and its answer lost
    await page.route('**/launch-settings', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      await route.fetch()
      await route.abort()
    })
    await form.getByRole('button', { name: 'Save' }).click()
    const again = page.getByRole('button', { name: 'Send again' })
    await again.waitFor()
    await page.unroute('**/launch-settings')
    await again.click()
    await form.waitFor({ state: 'detached' })
    const { launchSettings } = await alice.call('getLaunchSettings', { id })
    expect(launchSettings).toMatchObject({ preCommand: 'nvm exec', revision: 2 })
  })
})

describe('who may not change a project', () => {
  test('sees what it has, and nothing that would change it', async ({ windowOf, scene }) => {
    const project = await scene.world.projectWith([{ resourceKey: 'web' }])
    const { id } = project
    await scene.world.alice.call('updateLaunchSettings', { id, ...everySetting })
    const { page } = await windowOf(scene.world.vera)
    await openSettings(page, scene, project)
    await page.getByText('is shown to members of the workspace').waitFor()
    await columnRow(page, 'Backlog').waitFor()
    await page.locator('[data-resource="web"]').waitFor()
    expect(await page.locator('main').getByRole('button').count()).toBe(0)
    expect(await page.locator('main').getByRole('textbox').count()).toBe(0)
    for (const key of ['e', 'c', 'r', 'l']) await page.keyboard.press(key)
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.locator('main').innerText()).not.toContain('nvm exec')
  })

  test('as a member changes it but for its launch settings, which they see', async ({
    windowOf,
    scene,
  }) => {
    const project = await scene.world.projectWith()
    const { id } = project
    await scene.world.alice.call('updateLaunchSettings', { id, ...everySetting })
    const { page } = await windowOf(scene.world.bob)
    await openSettings(page, scene, project)
    const launch = partOf(page, 'Launch settings')
    await launch.getByText('nvm exec', { exact: true }).waitFor()
    await previewLine(page, 'Started as').getByText('nvm exec codex').waitFor()
    expect(await launch.getByRole('button', { name: 'Edit' }).count()).toBe(0)
    await page.keyboard.press('l')
    expect(await page.getByRole('form', { name: 'Launch settings' }).count()).toBe(0)
    await partOf(page, 'Project').getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Name', { exact: true }).fill('')
    await page.keyboard.press('Enter')
    await page.getByText('it is empty').first().waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Of bob')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Of bob' }).waitFor()
  })
})

describe('the resources of a project', () => {
  test('are added, changed and removed, and say why one stays', async ({ openApp, scene }) => {
    const { world } = scene
    const { project, mission } = await world.missionWith(['a'], {
      resources: [{ resourceKey: 'web' }],
    })
    const { id } = project
    const resources = async () => {
      const listed = await world.alice.call('listProjectResources', { id })
      return listed.resources.map(({ resourceKey, permission, primary, defaultBranch, cloneUrl }) =>
        [resourceKey, permission, primary && 'primary', defaultBranch, cloneUrl]
          .filter(Boolean)
          .join(' '),
      )
    }
    const { page, misdeeds } = await openApp()
    await openSettings(page, scene, project)
    const web = page.locator('[data-resource="web"]')
    await web.waitFor()
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Add a resource' })
    await dialog.getByLabel('Key').fill('Docs!')
    await dialog.getByLabel('Branch that work starts from').fill('-x')
    await dialog.getByLabel('Address that it is cloned from').fill('http://me:pw@git.test/docs')
    await page.reload()
    await web.waitFor()
    await page.keyboard.press('r')
    expect(await dialog.getByLabel('Key').inputValue()).toBe('Docs!')
    await dialog.getByRole('button', { name: 'Add it' }).click()
    await dialog.getByText('use 1 to 63 of a-z').first().waitFor()
    await dialog.getByText('use a branch name that git takes').first().waitFor()
    await dialog.getByText('without a password, a token or a query').first().waitFor()
    await dialog.getByLabel('Address that it is cloned from').fill('git@git.test:acme/docs.git')
    await dialog.getByLabel('Key').fill('web')
    await dialog.getByLabel('Branch that work starts from').fill('trunk')
    await dialog.getByRole('button', { name: 'Add it' }).click()
    await dialog.getByText('the project has one of this key already').waitFor()
    await dialog.getByLabel('Key').fill('docs')
    await dialog.getByLabel('What agents may do with it').selectOption('ro')
    await dialog.getByRole('button', { name: 'Add it' }).click()
    const link = page.getByRole('dialog', { name: 'Link a checkout of docs' })
    await link.getByRole('button', { name: 'Where svc is installed' }).click()
    await link.getByText(`svc resource link ${project.slug} . --key docs --ro`).waitFor()
    await page.keyboard.press('Escape')
    const cloneUrl = 'ssh://git@git.test/acme/docs.git'
    expect(await resources()).toEqual(['web rw primary', `docs ro trunk ${cloneUrl}`])

    const row = page.locator('[data-resource="docs"]')
    await row.getByText('to read, from').waitFor()
    await row.getByText(cloneUrl).waitFor()
    await row.getByRole('button', { name: 'Change docs' }).click()
    const change = page.getByRole('dialog', { name: 'Change docs' })
    await change.getByLabel('What agents may do with it').selectOption('rw')
    await change.getByLabel('Branch that work starts from').fill('')
    await change.getByLabel('Address that it is cloned from').fill('')
    await change.getByLabel('Primary').check()
    await change.getByRole('button', { name: 'Save' }).click()
    await row.getByText('to read and write, primary, from').waitFor()
    expect(await resources()).toEqual(['docs rw primary', 'web rw'])

    await world.connectedRunner(project, { resources: [{ projectId: id, resourceKey: 'docs' }] })
    await world.alice.launch(mission.objectives[0], { resourceKey: 'docs' })
    const remove = async (key: string) => {
      await page.getByRole('button', { name: `Remove ${key}` }).click()
      const asked = page.getByRole('dialog', { name: `Remove ${key}` })
      await asked.getByRole('button', { name: 'Remove the resource' }).click()
      return asked
    }
    const refused = await remove('docs')
    await refused.getByText('was launched on').waitFor()
    await refused.getByRole('button', { name: 'Keep it' }).click()
    await remove('web')
    await web.waitFor({ state: 'detached' })
    expect(await resources()).toEqual(['docs rw primary'])
    expect(misdeeds).toEqual([])
  })

  test('show which runners have them, as that changes', async ({ openApp, scene }) => {
    const { world } = scene
    const project = await world.projectWith([{ resourceKey: 'web' }])
    const { id } = project
    const { page } = await openApp()
    await openSettings(page, scene, project)
    const row = page.locator('[data-resource="web"]')
    await row.getByText('no runner has it').waitFor()
    const runner = await world.connectedRunner(project, {
      label: 'lap-of-web',
      resources: [{ projectId: id, resourceKey: 'web' }],
    })
    const runners = row.getByRole('list', { name: 'Runners with web' })
    await runners.getByText('lap-of-web').waitFor()
    await runners.getByText('here').waitFor()
    await runner.claim({
      resources: [{ projectId: id, resourceKey: 'web', path: '/src/web', state: 'missing' }],
    })
    await runners.getByText('missing').waitFor()
    await row.getByText('no runner has it').waitFor()
    await runner.claim({ resources: [] })
    await runners.waitFor({ state: 'detached' })
    await world.bob.call('linkProjectResource', { id, resourceKey: 'docs' })
    await page.locator('[data-resource="docs"]').waitFor()
  })
})
