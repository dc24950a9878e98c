import { expect } from 'vitest'
import { openBoard } from './open-board.ts'
import { test } from './scene.ts'

test('a board that goes on to the side says so at the side where it does', async ({
  openApp,
  scene,
}) => {
  const { project } = await scene.world.missionWith(['Draw them'])
  const { page } = await openApp()
  await page.setViewportSize({ width: 1280, height: 800 })
  await openBoard(page, scene, project)
  const columns = page.getByRole('group', { name: 'Columns', exact: true })
  const cut = () => columns.getAttribute('data-cut')
  await expect.poll(cut).toBe('end')
  const mask = `getComputedStyle(document.querySelector('[data-cut]')).maskImage`
  expect(await page.evaluate(mask)).toContain('gradient')
  await columns.getByRole('region').last().scrollIntoViewIfNeeded()
  await expect.poll(cut).toBe('start')
  await page.setViewportSize({ width: 2200, height: 800 })
  await expect.poll(cut).toBe('')
})
