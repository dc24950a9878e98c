import type { Page } from 'playwright-core'
import { openReview } from '../web/open-review.ts'
import { accessPages } from './access-pages.ts'
import { boardPages } from './board-pages.ts'
import { deliveredMission } from './delivered-mission.ts'
import { goTo } from './go-to.ts'
import { inboxPages } from './inbox-pages.ts'
import { missionPages } from './mission-pages.ts'
import { needsPages } from './needs-pages.ts'
import { notifyPages } from './notify-pages.ts'
import { operatePages } from './operate-pages.ts'
import { projectSettingsPages } from './project-settings-pages.ts'
import { reviewPages } from './review-pages.ts'
import { runPages } from './run-pages.ts'
import type { PageScene } from './scene.ts'
import type { ShownPage } from './shown-page.ts'
import { usagePages } from './usage-pages.ts'
import { wallPages } from './wall-pages.ts'
import { webhookPages } from './webhook-pages.ts'

async function goToReview(page: Page, scene: PageScene, search = ''): Promise<void> {
  const { mission } = await deliveredMission(scene.world)
  await openReview(page, scene, mission, search)
}

/** Each page of the web app, and each of its dialogs. */
export const appPages: readonly ShownPage[] = [
  ...needsPages,
  {
    name: 'projects',
    at: '/w/:workspace/projects',
    about: 'The projects of a workspace.',
    isSignedIn: true,
    async open(page, scene) {
      await scene.world.alice.call('createProject', { name: 'Shop' }).catch(() => undefined)
      await goTo(page, scene, '/projects')
      await page.getByRole('list', { name: 'Projects' }).waitFor()
    },
  },
  {
    name: 'new-project',
    at: '/w/:workspace/projects',
    about: 'What is typed stays, whatever becomes of the page.',
    isSignedIn: true,
    async open(page, scene) {
      await goTo(page, scene, '/projects')
      await page.getByRole('button', { name: 'New project' }).click()
      await page.getByRole('dialog', { name: 'New project' }).waitFor()
    },
  },
  {
    name: 'keys',
    at: '/w/:workspace/projects',
    about: 'The keys of a page, and a switch that turns them off.',
    isSignedIn: true,
    async open(page, scene) {
      await goTo(page, scene, '/projects')
      await page.getByRole('button', { name: 'New project' }).waitFor()
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keys of this page' }).waitFor()
    },
  },
  {
    name: 'find',
    at: '/w/:workspace/projects',
    about: 'Missions by the words of their titles and objectives.',
    isSignedIn: true,
    async open(page, scene) {
      await goTo(page, scene, '/projects')
      await page.keyboard.press('/')
      const dialog = page.getByRole('dialog', { name: 'Find a mission' })
      await dialog.getByRole('searchbox').fill('nothing has this')
      await dialog.getByText('No mission has these words.').waitFor()
    },
  },
  ...boardPages,
  ...missionPages,
  ...operatePages,
  ...projectSettingsPages,
  ...runPages,
  ...inboxPages,
  {
    name: 'review',
    at: '/w/:workspace/m/:mission/review',
    about: 'What was delivered, in the order of a story: asked, said, checked, changed.',
    isSignedIn: true,
    async open(page, scene) {
      await goToReview(page, scene)
      await page.getByRole('group', { name: 'Decision' }).waitFor()
    },
  },
  {
    name: 'review-file',
    at: '/w/:workspace/m/:mission/review',
    about: 'A note on a line, kept as a draft until it is part of what is asked for.',
    isSignedIn: true,
    async open(page, scene) {
      await goToReview(page, scene, '?f=src/missions/search.ts')
      await page.getByRole('button', { name: /search\.ts:42$/ }).click()
      await page.getByLabel(/^Note on .*:42$/).fill('Bound this by 500, too.')
      await page.getByRole('button', { name: 'Done' }).click()
    },
  },
  {
    name: 'review-accept',
    at: '/w/:workspace/m/:mission/review',
    about: 'Accepting says what it does not do.',
    isSignedIn: true,
    async open(page, scene) {
      await goToReview(page, scene)
      await page.getByRole('button', { name: 'Accept' }).click()
      await page.getByRole('dialog', { name: /^Accept / }).waitFor()
    },
  },
  {
    name: 'review-changes',
    at: '/w/:workspace/m/:mission/review',
    about: 'All notes as one instruction, to edit before it is sent.',
    isSignedIn: true,
    async open(page, scene) {
      await goToReview(page, scene)
      await page.getByRole('button', { name: 'Ask for changes' }).click()
      await page.getByRole('dialog', { name: 'Ask for changes' }).waitFor()
    },
  },
  ...reviewPages,
  ...webhookPages,
  ...accessPages,
  ...usagePages,
  ...wallPages,
  ...notifyPages,
  {
    name: 'no-such-page',
    at: '/w/:workspace/none',
    about: 'An address of a workspace that no page has.',
    isSignedIn: true,
    open: (page, scene) => goTo(page, scene, '/none'),
  },
]
