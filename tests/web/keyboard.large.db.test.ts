import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { actionsOfApp, operationOf } from './actions-of-app.ts'
import { handsAt } from './hands.ts'
import { proofs } from './keyboard-proofs.ts'
import { test } from './scene.ts'

const actions = actionsOfApp()
// the first steps are there as long as nothing was delivered in the workspace
const ofEmptyWorkspace = 'parts/first-run createMission'

describe('with the keyboard alone, and with the focus never lost, goes', () => {
  test.for([ofEmptyWorkspace, ...actions.filter((one) => one !== ofEmptyWorkspace)])(
    '%s',
    async (action, { openApp, scene, goTo }) => {
      const prove = proofs[action]
      if (prove === undefined) throw new Error(`${action} has no proof in keyboard-proofs.ts`)
      if (action === 'shell endSignIn') await scene.usePassword()
      const { page, misdeeds } = await openApp()
      const done: string[] = []
      page.on('response', (response) => {
        const operation = operationOf(response.request().method(), response.url())
        if (operation !== undefined && response.ok()) done.push(operation)
      })
      page.on('filechooser', (chooser) => {
        const buffer = Buffer.from('a note')
        void chooser.setFiles({ name: 'note.txt', mimeType: 'text/plain', buffer })
      })
      const open = async (path: string, seen: string | RegExp) => {
        await goTo(page, path)
        await page.getByText(seen).first().waitFor()
      }
      await prove({ world: scene.world, open }, handsAt(page))
      const operation = action.split(' ').at(-1)
      await expect.poll(() => done).toContain(operation)
      if (page.url().includes('/w/')) await expectFocus(page)
      expect(misdeeds).toEqual([])
    },
  )
})

/** Once all that comes of it is drawn, something has the focus. */
async function expectFocus(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const wait = (frames) => frames === 0 ? resolve() : requestAnimationFrame(() => wait(frames - 1))
    wait(30)
  })`)
  const focused = () => page.evaluate<string>('document.activeElement.tagName')
  await expect.poll(focused).not.toBe('BODY')
}
