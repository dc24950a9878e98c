import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectLive } from './scene.ts'

/** Takes what is shown once, and says that it is kept; no key closes it before. */
export async function keep(page: Page, title: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title })
  const text = await dialog.getByRole('group', { name: /^the / }).innerText()
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape')
  await dialog.getByText('It is never shown again.').waitFor()
  await dialog.getByRole('button', { name: 'I have kept it' }).click()
  await dialog.waitFor({ state: 'detached' })
  return text.trim()
}

/** The page has it nowhere: not in its text, address or storage, and not after it is opened again. */
export async function expectForgotten(page: Page, secret: string): Promise<void> {
  expect(secret.length).toBeGreaterThan(20)
  for (const reload of [false, true]) {
    if (reload) await page.reload()
    if (reload) await expectLive(page)
    const held = await page.evaluate<string>(
      `JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML])`,
    )
    expect(held).not.toContain(secret)
  }
}
