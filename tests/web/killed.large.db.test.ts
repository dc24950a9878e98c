import { openWorld } from '@svc/domain/testing/open-world'
import { expect } from 'vitest'
import { signedInWindow } from '../pages/scene.ts'
import { objectiveTitles, openMission } from './open-mission.ts'
import { expectLive, test } from './scene.ts'
import { openService } from './service-to-kill.ts'

test('a service that is killed between doing something and saying so leaves a page that goes on with the next one', async ({
  windows,
  database,
}) => {
  await using world = await openWorld(database.connectionString)
  const { alice } = world
  const { mission } = await world.missionWith(['Known before'], { title: 'Theme switch' })
  const service = await openService(database.connectionString)
  let process = await service.start()
  const { userId } = await alice.actor()
  const browsing = { userId, baseUrl: service.url }
  const page = await windows((browser) => signedInWindow(browser, world, browsing))
  const { slug } = (await alice.call('getMe', {})).workspace
  await openMission(page, { world }, mission.displayId)
  let loads = 0
  page.on('load', () => (loads += 1))

  await page.keyboard.press('o')
  const field = page.getByLabel('New objective')
  await field.waitFor()
  await page.keyboard.type('Written once')
  let sends = 0
  await page.route('**/objectives', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    sends += 1
    if (sends > 1) return route.fallback()
    await route.fetch()
    await process.killNow()
    return route.abort('connectionreset')
  })
  await page.keyboard.press('Control+Enter')
  const again = page.getByRole('button', { name: 'Send again' })
  await again.waitFor()
  expect(sends).toBeGreaterThan(1)
  await page.getByRole('status').getByText('offline').waitFor()
  await page.getByText('The service is not reached. This is as of').waitFor()
  expect(await objectiveTitles(page)).toEqual(['Known before'])
  expect(await field.inputValue()).toBe('Written once')
  await field.focus()
  await page.keyboard.type(', and more')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('Written once')

  await alice.call('updateMission', { id: mission.id, title: 'Changed meanwhile' })
  process = await service.start()
  await expectLive(page)
  await page.getByRole('heading', { name: 'Changed meanwhile' }).waitFor()
  expect(await page.getByText('The service is not reached').count()).toBe(0)
  await expect.poll(() => objectiveTitles(page)).toEqual(['Known before', 'Written once'])
  expect(await field.inputValue()).toBe('Written once')
  await again.click()
  await expect.poll(() => field.inputValue()).toBe('')
  expect(await objectiveTitles(page)).toEqual(['Known before', 'Written once'])
  const { objectives } = await alice.call('getMission', { id: mission.id })
  expect(objectives).toHaveLength(2)

  await alice.call('updateMission', { id: mission.id, title: 'Changed afterwards' })
  await page.getByRole('heading', { name: 'Changed afterwards' }).waitFor()
  expect(loads).toBe(0)
  expect(new URL(page.url()).pathname).toBe(`/w/${slug}/m/${mission.displayId}`)
})
