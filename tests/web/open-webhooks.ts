import { createHmac } from 'node:crypto'
import { openHooked } from '@svc/domain/testing/hooked-world'
import type { Post } from '@svc/testing/receiver'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectLive, test as base } from './scene.ts'

/** With a receiver of webhooks. */
export const test = base.extend('hooked', async ({ scene }, { onCleanup }) => {
  const hooked = await openHooked(scene.world)
  onCleanup(() => hooked[Symbol.asyncDispose]())
  return hooked
})

/** The dialog in which a webhook is made, opened by its key. */
export async function openNew(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'New webhook' }).waitFor()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New webhook' })
  await dialog.waitFor()
  return dialog
}

/** Takes the secret that is shown, and says that it is kept. */
export async function keepSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Its secret, shown this once' })
  const secret = await dialog.getByText(/^whsec_/).innerText()
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape')
  await dialog.getByText('It is never shown again.').waitFor()
  await dialog.getByRole('button', { name: 'I have kept it' }).click()
  await dialog.waitFor({ state: 'detached' })
  return secret
}

/** The page has the secret nowhere: not in its text, address or storage, and not after it is opened again. */
export async function expectForgotten(page: Page, secret: string): Promise<void> {
  expect(secret).toMatch(/^whsec_.{20,}$/)
  for (const reload of [false, true]) {
    if (reload) await page.reload()
    if (reload) await expectLive(page)
    const held = await page.evaluate<string>(
      `JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML])`,
    )
    expect(held).not.toContain(secret)
  }
}

/** Whether it was signed with this secret, by plain means. */
export function isSignedWith(secret: string, { headers, raw }: Post): boolean {
  const given = String(headers['x-svc-signature'])
  const [, time = '', signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(given) ?? []
  const made = createHmac('sha256', secret).update(`${time}.`).update(raw).digest('hex')
  return signature === made
}

/** The rows of a log, each by what it says of its state and event. */
export function logRows(page: Page): Locator {
  return page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem')
}
