import { fileURLToPath } from 'node:url'
import { secretKeys } from '@svc/domain/testing/open-process'
import { openWorld } from '@svc/domain/testing/open-world'
import { freePort } from '@svc/testing/free-port'
import { highLimits } from '@svc/testing/high-limits'
import { expect, onTestFinished } from 'vitest'
import { type Started, startNode } from '../e2e/support/processes.ts'
import { until } from '../e2e/support/until.ts'
import { signInCookies } from '../pages/scene.ts'
import { builtWebApp } from './built.ts'
import { objectiveTitles, openMission } from './open-mission.ts'
import { expectLive, test } from './scene.ts'

const main = fileURLToPath(new URL('serve-web.ts', import.meta.url))

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
  const cookies = await signInCookies(world, { userId, baseUrl: service.url })
  const page = await windows(async (browser) => {
    const context = await browser.newContext({ baseURL: service.url })
    await context.addCookies(cookies)
    return context
  })
  const { slug } = (await alice.call('getMe', {})).workspace
  await openMission(page, { world }, mission.displayId)
  let loads = 0
  page.on('load', () => (loads += 1))

  await page.keyboard.press('o')
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
  const field = page.getByLabel('New objective')
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

/** The API in a process of its own, on a port that it keeps. */
async function openService(databaseUrl: string) {
  const port = String(await freePort())
  const folder = await builtWebApp()
  const url = `http://127.0.0.1:${port}`
  const env = {
    DATABASE_URL: databaseUrl,
    SVC_PORT: port,
    SVC_BASE_URL: url,
    SVC_SECRET_KEYS: secretKeys,
    SVC_DRAIN_SECONDS: '0',
    ...highLimits,
  }
  return {
    url,
    async start(): Promise<Started> {
      const started = startNode(main, [folder], { env })
      onTestFinished(async () => void (await started.killNow()))
      const isReady = () =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        )
      await until('the service is ready', () => started.isOver() || isReady(), {
        details: started.output,
      })
      if (started.isOver()) throw new Error(started.output())
      return started
    },
  }
}
