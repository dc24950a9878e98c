import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { operationOf } from './actions-of-app.ts'

/** Presses whatever is there, one of each name, until nothing new has come of it. */
export const pressButtons = `(async () => {
  for (const fold of document.querySelectorAll('main summary')) fold.click()
  const pressed = new Set()
  const next = () =>
    [...document.querySelectorAll('main button:enabled, dialog[open] button:enabled')]
      .find((button) => !pressed.has(button.textContent))
  for (let quiet = 0; quiet < 10; ) {
    const button = next()
    if (button) {
      quiet = 0
      pressed.add(button.textContent)
      button.click()
    } else quiet += 1
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
})()`

/** Keys are the page's own where no dialog is open and no field has the focus. */
export async function closeAll(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  while ((await page.locator('dialog[open]').count()) > 0) await page.keyboard.press('Escape')
  await page.evaluate('document.activeElement?.blur()')
}

/** Whatever the page has, what is unfolded by it as well, and every key that its help names. */
export async function pressAll(page: Page): Promise<void> {
  await page.evaluate(pressButtons)
  await closeAll(page)
  await page.keyboard.press('?')
  const shown = page.getByRole('dialog').locator('[data-keys]')
  await shown.first().waitFor()
  const keys = await shown.evaluateAll((all) =>
    all.map((one) => one.getAttribute('data-keys') ?? ''),
  )
  await page.keyboard.press('Escape')
  expect(keys).toContain('?')
  for (const key of keys.filter((one) => !one.startsWith('g '))) {
    await page.keyboard.press(key.replace('Mod+', 'Control+').replace('↵', 'Enter'))
    await page.keyboard.press('Escape')
  }
}

/** What the page sends from now on that is no mere reading. */
export function changesOf(page: Page): string[] {
  const changes: string[] = []
  page.on('request', (request) => {
    if (!['GET', 'HEAD'].includes(request.method())) {
      changes.push(`${request.method()} ${request.url()}`)
    }
  })
  return changes
}

/** What is a person's own, whatever they may do in a workspace: these are sent, and refused before anything comes of them. */
const ownMatters: readonly (string | undefined)[] = [
  'createUserToken',
  'revokeUserToken',
  'endConnectedApplication',
  'endSignIn',
  'endSignIns',
  'leaveWorkspace',
  'createWorkspace',
]

/** Answers what else the page sends from now on that is no mere reading. */
export async function refuseOwnMatters(page: Page): Promise<string[]> {
  const others: string[] = []
  await page.route('**/api/**', async (route) => {
    const request = route.request()
    if (['GET', 'HEAD'].includes(request.method())) return route.fallback()
    const operation = operationOf(request.method(), request.url())
    if (!ownMatters.includes(operation)) others.push(`${request.method()} ${request.url()}`)
    const error = { code: 'forbidden', message: 'Not in this test.', requestId: 'none' }
    return route.fulfill({ status: 403, json: { error } })
  })
  return others
}
