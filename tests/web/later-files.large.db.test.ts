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

/** The addresses of styles that the page has not. */
const missedStyles = `(() => {
  const links = [...document.querySelectorAll('link[rel="stylesheet"]')]
  const there = new Set(links.filter(({ sheet }) => sheet !== null).map(({ href }) => href))
  return links.map(({ href }) => href).filter((href) => !there.has(href))
})()`

test('what a board opens while no service answers leaves the board as it is, and opens once there is one', async ({
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
  expect(await page.evaluate(missedStyles)).not.toEqual([])
  service.comeBack()
  await page.getByRole('dialog', { name: 'New mission' }).waitFor()
  expect(await page.evaluate(missedStyles)).toEqual([])
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
  service.comeBack()
  await page.getByRole('dialog', { name: /^Launch / }).waitFor()
  expect(await page.evaluate(missedStyles)).toEqual([])
  expect(misdeeds).toEqual([])
})
