import type { Page } from 'playwright-core'
import { missionToLookAt } from '../web/mission-scene.ts'
import { goTo } from './go-to.ts'
import type { PageScene } from './scene.ts'
import type { ShownPage } from './shown-page.ts'

const esc = '\u001b'
const printed = [
  `${esc}[2m$${esc}[0m npm test`,
  '',
  ` ${esc}[32m✓${esc}[0m src/cookie.test.ts ${esc}[2m(12 tests)${esc}[0m 48 ms`,
  ` ${esc}[31m✗${esc}[0m src/theme.test.ts ${esc}[2m(41 tests | ${esc}[31m1 failed${esc}[39m)${esc}[0m 97 ms`,
  `   ${esc}[41m FAIL ${esc}[49m the switch keeps what the system says`,
  `   ${esc}[33mwarning${esc}[0m theme.names is read twice`,
  `   ${esc}[36mat settings.ts:42${esc}[0m ${esc}[35mswitch${esc}[0m ${esc}[34mhttps://example.com${esc}[0m`,
  '',
].join('\n')
const later = ` ${esc}[32m✓${esc}[0m src/theme.test.ts ${esc}[2m(41 tests)${esc}[0m 97 ms\n ${esc}[42m PASS ${esc}[0m Tests  53 passed\n`

const shownToAll = new WeakMap<PageScene['world'], Promise<string>>()

/** The run that is in the middle of its work, for all who look at it. */
function runToLookAt({ world }: PageScene): Promise<string> {
  const known = shownToAll.get(world) ?? printIn(world)
  shownToAll.set(world, known)
  return known
}

async function printIn(world: PageScene['world']): Promise<string> {
  const { runner, asking } = await missionToLookAt(world)
  const length = await runner.log(asking.lease, 0, printed)
  await runner.log(asking.lease, length + 1_000, later, 1_000)
  return asking.lease.id
}

async function goToRun(page: Page, scene: PageScene): Promise<void> {
  await goTo(page, scene, `/runs/${await runToLookAt(scene)}`)
  await page.getByRole('group', { name: 'Log' }).getByText('53 passed').waitFor()
}

/** All runs, and one of them with its log. */
export const runPages: readonly ShownPage[] = [
  {
    name: 'runs',
    at: '/w/:workspace/runs',
    about: 'Every run with what it is at, why it waits or ended so, and what it used.',
    isSignedIn: true,
    async open(page, scene) {
      await runToLookAt(scene)
      await goTo(page, scene, '/runs')
      await page.getByRole('list', { name: 'Runs' }).waitFor()
    },
  },
  {
    name: 'run',
    at: '/w/:workspace/runs/:run',
    about: 'A run: its steps, what it uses, and what it prints as it prints it.',
    isSignedIn: true,
    async open(page, scene) {
      await goToRun(page, scene)
      await page.locator('summary').filter({ hasText: 'Settings' }).click()
    },
  },
  {
    name: 'run-find',
    at: '/w/:workspace/runs/:run',
    about: 'A word in all of its output, from one place to the next.',
    isSignedIn: true,
    async open(page, scene) {
      await goToRun(page, scene)
      await page.keyboard.press('f')
      await page.getByRole('searchbox', { name: 'Find in this log' }).fill('theme')
      await page
        .locator('main')
        .getByText(/ of 3 found/)
        .waitFor()
    },
  },
  {
    name: 'run-cancel',
    at: '/w/:workspace/runs/:run',
    about: 'A run is cancelled with a reason.',
    isSignedIn: true,
    async open(page, scene) {
      await goToRun(page, scene)
      await page.keyboard.press('x')
      await page.getByRole('dialog', { name: 'Cancel this run' }).waitFor()
    },
  },
]
