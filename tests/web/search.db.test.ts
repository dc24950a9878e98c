import { describe, expect } from 'vitest'
import { test } from './scene.ts'

describe('the page of the search', () => {
  test('finds by title and by words of an instruction, by filters, and says where', async ({
    openApp,
    scene,
    goTo,
  }) => {
    const { alice } = scene.world
    const { project, mission } = await scene.world.missionWith(
      ['Read the settings.', 'Rotate the **keys** each night.'],
      { title: 'Security', priority: 'high' },
    )
    const { mission: titled } = await scene.world.missionWith([], { title: 'Rotate the keys' })
    const { mission: done } = await scene.world.missionWith([], {
      title: 'Rotate keys once',
      project,
    })
    await alice.call('moveMission', { id: done.id, statusId: 'complete' })
    const { page, misdeeds } = await openApp()
    await goTo(page, '/projects')
    await page.getByRole('button', { name: 'New project' }).waitFor()
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill('rotate keys')
    await page.getByRole('link', { name: 'All results, and filters' }).click()
    await page.waitForURL(/\/search\?q=rotate\+keys$/)
    const found = () =>
      page
        .locator('[data-found]')
        .evaluateAll((all) => all.map((one) => one.getAttribute('data-found')))
    const ids = [done, titled, mission].map(({ displayId }) => displayId)
    await expect.poll(found).toEqual(ids)
    const row = page.getByRole('listitem').filter({ hasText: mission.displayId })
    await row.getByText('each night').waitFor()
    expect(await row.locator('mark').allInnerTexts()).toEqual(['Rotate', 'keys'])
    const [, second] = mission.objectives
    await row.getByRole('link', { name: second.displayId }).waitFor()

    await page.getByLabel('Project').selectOption(project.slug)
    await expect.poll(found).toEqual([done.displayId, mission.displayId])
    await page.getByLabel('Priority').selectOption('high')
    await expect.poll(found).toEqual([mission.displayId])
    await page.getByLabel('Phase').selectOption('review')
    await page.getByText('No mission is as you ask for.').first().waitFor()
    await page.reload()
    expect(await page.getByLabel('Phase').inputValue()).toBe('review')
    await page.getByLabel('Phase').selectOption('')
    await expect.poll(found).toEqual([mission.displayId])
    // what is written elsewhere is found as it is written
    await scene.world.missionWith(['Rotate the keys.'], { title: 'New', priority: 'high', project })
    await expect.poll(async () => (await found()).length).toBe(2)
    await row.getByRole('link', { name: second.displayId }).click()
    await page.getByRole('heading', { name: 'Security' }).waitFor()
    await page.goBack()
    await expect.poll(found).toHaveLength(2)
    expect(await page.getByRole('searchbox').inputValue()).toBe('rotate keys')
    expect(misdeeds).toEqual([])
  })

  test('is walked by keys alone, and goes straight to what is named by its id', async ({
    openApp,
    scene,
    goTo,
  }) => {
    const { mission } = await scene.world.missionWith(['Do it.'], { title: 'Walked to first' })
    await scene.world.missionWith([], { title: 'Walked to second' })
    const { page, misdeeds } = await openApp()
    await goTo(page, '/search')
    await expect.poll(() => page.evaluate('document.activeElement?.type')).toBe('search')
    await page.keyboard.type('walked')
    await page.waitForURL(/\?q=walked$/)
    await expect.poll(() => page.locator('[data-found]').count()).toBe(2)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => page.evaluate('document.activeElement?.type')).toBe('search')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Walked to first' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Search' }).waitFor()
    await page.locator('[data-found]').first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type(` ${mission.displayId.toUpperCase()} `)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/m/${mission.displayId}`)

    // and so does the box that is over every page
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill(mission.objectives[0].displayId)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/o/${mission.objectives[0].displayId}`)
    await page.getByRole('heading', { name: 'Walked to first' }).waitFor()
    expect(misdeeds).toEqual([])
  })
})
