import { describe, expect } from 'vitest'
import { test } from './people.ts'
import { expectLive } from './scene.ts'

describe('the page of the search', () => {
  test('goes on in pages, and keeps what is searched for in the address', async ({
    openApp,
    scene,
    goTo,
  }) => {
    const project = await scene.world.projectWith()
    for (let count = 0; count < 35; count += 1) {
      await scene.world.missionWith([], { project, title: `Pageable ${count}` })
    }
    const { page } = await openApp()
    await goTo(page, '/search')
    await page.getByRole('searchbox').fill('pageable')
    await page.getByText('30 missions, and more').first().waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByText('35 missions', { exact: true }).first().waitFor()
    expect(page.url()).toMatch(/\?q=pageable$/)
    const address = page.url()
    await page.getByRole('link', { name: /Pageable 34/ }).click()
    await page.getByRole('heading', { name: 'Pageable 34' }).waitFor()
    await page.goBack()
    await page.waitForURL(address)
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('pageable')
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('')
    expect(await page.getByRole('searchbox').inputValue()).toBe('')
  })

  test('takes more words than the service does, and leaves Ctrl-F to the browser', async ({
    openApp,
    scene,
    goTo,
  }) => {
    const { mission } = await scene.world.missionWith([], { title: 'a1 b2 c3 d4 e5 f6 g7 h8' })
    const { page } = await openApp()
    await goTo(page, '/search')
    await page.getByRole('searchbox').fill('a1 b2 c3 d4 e5 f6 g7 h8 nothing has this one')
    await page.locator(`[data-found="${mission.displayId}"]`).waitFor()
    const taken = await page.evaluate<boolean>(
      `!document.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, cancelable: true }))`,
    )
    expect(taken).toBe(false)
  })

  test('restores what was deleted, and shows a list before it deletes, where a step leads there', async ({
    openApp,
    scene,
    goTo,
  }) => {
    const { alice } = scene.world
    const { mission } = await scene.world.missionWith([], { title: 'Deleted by mistake' })
    await alice.call('deleteMissions', { missionIds: [mission.id], confirm: true })
    const { page } = await openApp()
    await goTo(page, `/search?q=mistake&deleted=1&restore=${mission.displayId}`)
    await page.waitForFunction(`document.activeElement?.textContent === 'Restore'`)
    await page.keyboard.press('Enter')
    await page.getByText('None that could be restored.').waitFor()
    await page.keyboard.press('Escape')
    await page.locator(`[data-found="${mission.displayId}"]`).waitFor()
    expect(new URL(page.url()).search).toBe('?q=mistake')

    await goTo(page, `/search?q=mistake&do=delete&missions=${mission.id}`)
    const dialog = page.getByRole('dialog', { name: 'Delete the mission' })
    await dialog.getByText('Deleted by mistake').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.locator(`[data-found="${mission.displayId}"]`).waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('?q=mistake')
    await page.getByRole('button', { name: 'Deleted missions …' }).click()
    await page.getByRole('button', { name: `Restore ${mission.displayId}` }).waitFor()
  })

  test('finds for whoever may only look what they may see, and deletes nothing', async ({
    windowOf,
    scene,
    goTo,
  }) => {
    const { mission } = await scene.world.missionWith(['A secret word.'], { title: 'Seen by all' })
    const page = await windowOf(scene.world.vera)
    await goTo(page, '/search?q=secret')
    await page.locator(`[data-found="${mission.displayId}"]`).waitFor()
    await goTo(page, `/search?do=delete&missions=${mission.id}`)
    await expectLive(page)
    await page.locator('[data-found]').first().waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})
