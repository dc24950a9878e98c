import type { Page } from 'playwright-core'
import { trailToLookAt } from '../web/audit-scene.ts'
import { type ShownUsage, usageToLookAt } from '../web/usage-scene.ts'
import { goTo } from './go-to.ts'
import type { PageScene } from './scene.ts'
import type { ShownPage } from './shown-page.ts'

/** What runs have used, the budgets of missions, and who did what. */
export const usagePages: readonly ShownPage[] = [
  {
    name: 'usage',
    at: '/w/:workspace/usage',
    about: 'What runs used and came to, by week and by agent, and how far budgets go.',
    isSignedIn: true,
    open: openUsage,
  },
  {
    name: 'usage-models',
    at: '/w/:workspace/usage',
    about: 'The weeks of one agent, and each model by itself.',
    isSignedIn: true,
    hasNoPicture: true,
    async open(page, scene) {
      await openUsage(page, scene)
      await page.getByRole('link', { name: 'claude' }).click()
      await page.getByRole('heading', { name: 'By week, of claude' }).waitFor()
      await page.getByRole('checkbox', { name: 'each model by itself' }).check()
      await page.getByRole('table', { name: 'Usage by agent' }).getByText('large').waitFor()
    },
  },
  {
    name: 'usage-budget',
    at: '/w/:workspace/usage',
    about: 'A budget that holds a mission back is raised.',
    isSignedIn: true,
    hasNoPicture: true,
    async open(page, scene) {
      const { spent } = await openUsage(page, scene)
      const { displayId } = spent.mission
      await page
        .getByRole('button', { name: `Raise … budget of ${displayId}` })
        .first()
        .click()
      await page.getByRole('dialog', { name: `Budget of ${displayId}` }).waitFor()
    },
  },
  {
    name: 'audit',
    at: '/w/:workspace/audit',
    about: 'Who did what, when and by what: newest first, by person, action, thing and day.',
    isSignedIn: true,
    async open(page, scene) {
      await openAudit(page, scene)
      const changed = page.locator('[data-entry]').filter({ hasText: 'Budget changed' }).first()
      await changed.getByText('Details').click()
      await changed.getByText('"usd": "12.5"').waitFor()
    },
  },
  {
    name: 'audit-older',
    at: '/w/:workspace/audit',
    about: 'Of several filters together a page may hold nothing, and leads further back.',
    isSignedIn: true,
    hasNoPicture: true,
    async open(page, scene) {
      await trailToLookAt(scene.world)
      const { userId } = await scene.world.carla.actor()
      await goTo(page, scene, `/audit?who=${userId}&what=mission.deleted&until=2026-01-01`)
      await page.getByText('No entry is like that.').waitFor()
    },
  },
]

async function openUsage(page: Page, scene: PageScene): Promise<ShownUsage> {
  const shown = await usageToLookAt(scene.world)
  await goTo(page, scene, `/usage?project=${shown.project.slug}&weeks=4`)
  await page.getByRole('table', { name: 'Usage by week' }).waitFor()
  await page.getByRole('table', { name: 'Usage by agent' }).waitFor()
  await page.getByRole('list', { name: 'Held back by their budget' }).waitFor()
  await page.getByRole('list', { name: 'With a budget', exact: true }).waitFor()
  return shown
}

async function openAudit(page: Page, scene: PageScene): Promise<void> {
  await trailToLookAt(scene.world)
  await goTo(page, scene, '/audit')
  await page.getByRole('list', { name: 'Audit trail' }).waitFor()
}
