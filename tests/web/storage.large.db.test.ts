import { describe, expect } from 'vitest'
import { openMission } from './open-mission.ts'
import { expectLive, test } from './scene.ts'

/** What a browser may lack: by its settings, for want of room, or since the page comes by plain HTTP from another machine. */
const poorBrowsers = {
  'may keep nothing': `for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(window, name, { get() { throw new DOMException('No.', 'SecurityError') } })
  }`,
  'has no room left': `Storage.prototype.setItem = () => {
    throw new DOMException('Full.', 'QuotaExceededError')
  }`,
  'gives what comes by plain HTTP less': `delete Navigator.prototype.locks
    delete Navigator.prototype.clipboard
    delete Crypto.prototype.randomUUID`,
}

describe('in a browser that', () => {
  test.for(Object.entries(poorBrowsers))(
    '%s, the app is live and sends what is typed, once',
    async ([name, script], { openApp, scene }) => {
      const { page, misdeeds } = await openApp()
      await page.addInitScript(script)
      await page.goto('/w/here/projects')
      await expectLive(page)
      await page.getByRole('button', { name: 'New project' }).click()
      await page.getByLabel('Name').fill(name)
      await page.route('**/api/projects', async (route) => {
        if (route.request().method() !== 'POST') return route.fallback()
        await route.fetch()
        return route.abort()
      })
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByRole('button', { name: 'Send again' }).waitFor()
      await page.unroute('**/api/projects')
      // opened anew, it has the text and the key of the send that got no answer
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'New project' }).click()
      expect(await page.getByLabel('Name').inputValue()).toBe(name)
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      const { projects } = await scene.world.alice.call('listProjects', {})
      expect(projects.filter((one) => one.name === name)).toHaveLength(1)
      await page.keyboard.press('?')
      await page.getByRole('button', { name: 'Turn keys off' }).click()
      await page.getByRole('button', { name: 'Turn keys on' }).waitFor()
      expect(misdeeds).toEqual([])
    },
  )

  test('gives no clipboard to what comes by plain HTTP, the app says so', async ({
    openApp,
    scene,
  }) => {
    const { mission } = await scene.world.missionWith([])
    const { page, misdeeds } = await openApp()
    await page.addInitScript(poorBrowsers['gives what comes by plain HTTP less'])
    await openMission(page, scene, mission.displayId)
    await page.getByRole('button', { name: 'More of this mission' }).click()
    await page.getByRole('menuitem', { name: 'Copy its address' }).click()
    await page
      .getByRole('list', { name: 'Messages' })
      .getByText('does not let a page copy')
      .waitFor()
    expect(misdeeds).toEqual([])
  })
})
