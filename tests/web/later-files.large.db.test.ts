import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openBoard } from './open-board.ts'
import { openNeeds } from './open-needs.ts'
import { test } from './scene.ts'

/** No service answers from now on, until it is said that one does again. */
async function loseService(page: Page, file: string) {
  let isAway = true
  const asked: string[] = []
  await page.route('**', (route) => {
    if (!isAway) return route.fallback()
    asked.push(route.request().url())
    return route.abort()
  })
  return {
    isAsked: () => expect.poll(() => asked.some((url) => url.includes(file))).toBe(true),
    comeBack: () => (isAway = false),
  }
}

test('what a board opens while no service answers leaves the board as it is, and it is loaded anew once there is one', async ({
  openApp,
  scene,
}) => {
  const { project } = await scene.world.missionWith([], { title: 'Dark icons' })
  const { page, misdeeds } = await openApp()
  await openBoard(page, scene, project)
  const service = await loseService(page, 'dialogs-')
  await page.getByRole('button', { name: 'New mission' }).click()
  await service.isAsked()
  await page.getByText('Dark icons').waitFor()
  // its styles were missed, too, which the same page does not ask for again
  const loaded = page.waitForEvent('load')
  service.comeBack()
  await loaded
  await page.getByText('Dark icons').waitFor()
  await page.getByRole('button', { name: 'New mission' }).click()
  await page.getByRole('dialog', { name: 'New mission' }).waitFor()
  expect(misdeeds).toEqual([])
})

test('the launch sheet of what needs somebody does so, too', async ({ openApp, scene }) => {
  const { world } = scene
  const { project, mission } = await world.missionWith(['Write it', 'Ship it'])
  const runner = await world.connectedRunner(project)
  const { agent, lease } = await world.attachedRun(mission.objectives[0], runner)
  await agent.deliver()
  await runner.exited(lease)
  const { page, misdeeds } = await openApp()
  await openNeeds(page, project)
  const launch = page.getByRole('button', { name: 'Launch …' })
  await launch.waitFor()
  const service = await loseService(page, 'launch-here-')
  await launch.click()
  await service.isAsked()
  await launch.waitFor()
  const loaded = page.waitForEvent('load')
  service.comeBack()
  await loaded
  await launch.click()
  await page.getByRole('dialog', { name: /^Launch / }).waitFor()
  expect(misdeeds).toEqual([])
})
