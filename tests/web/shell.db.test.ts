import { describe, expect } from 'vitest'
import { password } from '../pages/scene.ts'
import { expectLive, slugOf, test } from './scene.ts'

describe('the web app', () => {
  test('signs somebody in, comes back to where they were going, and is live', async ({
    windows,
    scene,
  }) => {
    await scene.usePassword()
    const page = await windows((browser) => scene.window(browser, false))
    await page.goto('/')
    await page.getByLabel('E-mail address').fill(scene.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`/w/${await slugOf(scene)}`)
    await page.getByRole('heading', { name: 'Needs you' }).waitFor()
    await expectLive(page)
  })

  test(
    'comes back exactly to where somebody was going before they signed in',
    { tags: 'large' },
    async ({ windows, scene }) => {
      await scene.usePassword()
      const page = await windows((browser) => scene.window(browser, false))
      const wanted = `/w/${await slugOf(scene)}/projects?from=a%20link&to=b#main`
      await page.goto(wanted)
      await page.getByLabel('E-mail address').fill(scene.email)
      await page.getByLabel('Password').fill('not the one it is')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('do not belong together').waitFor()
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expectLive(page)
      expect(page.url()).toBe(scene.baseUrl + wanted)
    },
  )

  test(
    'shows a project that is made here, and one that is made elsewhere as it is made',
    { tags: 'large' },
    async ({ openApp, scene }) => {
      const { page, misdeeds } = await openApp()
      await page.goto('/')
      await expectLive(page)
      await page.keyboard.press('g')
      await page.keyboard.press('p')
      await page.getByRole('button', { name: 'New project' }).waitFor()
      await page.keyboard.press('c')
      await page.getByLabel('Name').fill('Made here')
      await page.keyboard.press('Enter')
      const list = page.getByRole('list', { name: 'Projects' })
      await list.getByText('Made here', { exact: true }).waitFor()
      await scene.world.alice.call('createProject', { name: 'Made elsewhere' })
      await list.getByText('Made elsewhere', { exact: true }).waitFor()
      expect(misdeeds).toEqual([])
    },
  )

  test(
    'gives the focus back to where a dialog was opened',
    { tags: 'large' },
    async ({ openApp, scene }) => {
      const { page } = await openApp()
      await page.goto(`/w/${await slugOf(scene)}/projects`)
      const opens = page.getByRole('button', { name: 'New project' })
      await opens.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'New project' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await page.evaluate('document.activeElement.textContent')).toContain('New project')
    },
  )

  test(
    'marks in its navigation where a board belongs',
    { tags: 'large' },
    async ({ openApp, scene }) => {
      const { project } = await scene.world.alice.call('createProject', { name: 'With a board' })
      const { page } = await openApp()
      await page.goto(`/w/${await slugOf(scene)}/p/${project.slug}`)
      await page.getByRole('heading', { name: 'With a board' }).waitFor()
      const pages = page.getByRole('navigation', { name: 'Pages', exact: true })
      const marked = pages.locator('[aria-current]')
      await expect.poll(() => marked.allInnerTexts()).toEqual(['Projects'])
    },
  )

  test('is driven by keys, which can be turned off', { tags: 'large' }, async ({ openApp }) => {
    const { page, misdeeds } = await openApp()
    await page.goto('/')
    await expectLive(page)
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keys of this page' })
    await help.getByText('go to Projects').waitFor()
    // with a dialog open the page has no keys
    await page.keyboard.press('/')
    await help.getByRole('button', { name: 'Turn keys off' }).click()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('button', { name: /^You, / }).click()
    await page.getByRole('menu', { name: /^You, / }).waitFor()
    // its upper edge is over the bar that it hangs from
    const isOver = page.evaluate(`(() => {
      const menu = document.querySelector('[role="menu"]')
      const { left, top, width } = menu.getBoundingClientRect()
      return menu.contains(document.elementFromPoint(left + width / 2, top + 2))
    })()`)
    expect(await isOver).toBe(true)
    await page.getByRole('menuitem', { name: 'Keys' }).click()
    await help.getByRole('button', { name: 'Turn keys on' }).click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.getByRole('dialog', { name: 'Find a mission' }).waitFor()
    expect(misdeeds).toEqual([])
  })
})
