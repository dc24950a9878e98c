import type { Project } from '@svc/contracts/project'
import type { World } from '@svc/domain/testing/open-world'
import type { Locator, Page } from 'playwright-core'

/** All that may be set of launches. */
export const everySetting = {
  preCommand: 'nvm exec',
  preLaunchCommands: ['pnpm install --frozen-lockfile', '. venv/bin/activate'],
  launchEnvVars: { NODE_ENV: 'test', API_KEY: 'hush-hush' },
  agents: {
    claude: { model: 'opus', reasoningEffort: 'high', flags: ['--fast', '--loud'] },
    codex: { rights: 'read' as const },
  },
  allowedCommands: ['npm test', 'make lint'],
  checks: { lint: { command: 'npm run lint' }, test: { command: 'npm test', timeoutSeconds: 90 } },
}

const shownToAll = new WeakMap<World, Promise<Project>>()

/** The same for all who only look at it: everything is set, and two runners have what one of them cannot use. */
export function settingsToLookAt(world: World): Promise<Project> {
  const known = shownToAll.get(world) ?? makeSettings(world)
  shownToAll.set(world, known)
  return known
}

async function makeSettings(world: World): Promise<Project> {
  const { alice } = world
  const { project } = await alice.call('createProject', { name: 'Web shop', slug: 'web-shop' })
  const { id } = project
  for (const resource of [
    { resourceKey: 'shop' },
    { resourceKey: 'guides', permission: 'ro' as const, defaultBranch: 'trunk' },
  ]) {
    await alice.call('linkProjectResource', { id, ...resource })
  }
  await alice.call('updateLaunchSettings', { id, ...everySetting })
  const lap = await world.connectedRunner(project, { label: 'lap-4', agents: ['claude'] })
  await lap.claim({
    resources: [
      { projectId: id, resourceKey: 'shop', path: '/src/shop', state: 'usable' },
      { projectId: id, resourceKey: 'guides', path: '/src/guides', state: 'missing' },
    ],
  })
  const resources = [{ projectId: id, resourceKey: 'shop' }]
  await world.connectedRunner(project, { label: 'box-2', agents: ['codex'], resources })
  return project
}

/** A part of the page, by its heading. */
export function partOf(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true })
}

export function columnRow(page: Page, label: string): Locator {
  return partOf(page, 'Columns')
    .locator('[data-sorted]')
    .filter({ has: page.getByText(label, { exact: true }) })
}

/** In the order of the page. */
export async function columnLabels(page: Page): Promise<string[]> {
  return partOf(page, 'Columns')
    .locator('[data-sorted]')
    .evaluateAll((rows) => rows.map((row) => row.querySelector('bdi')?.textContent ?? ''))
}

/** The form of the launch settings, opened by its key. */
export async function editLaunch(page: Page): Promise<Locator> {
  await partOf(page, 'Launch settings').getByRole('button', { name: 'Edit' }).waitFor()
  await page.keyboard.press('l')
  const form = page.getByRole('form', { name: 'Launch settings' })
  await form.waitFor()
  return form
}

/** A line of the preview, by what it is called. */
export function previewLine(page: Page, label: string): Locator {
  return partOf(page, 'Preview of a launch')
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd')
}
