import { createHmac } from 'node:crypto'
import { openHooked } from '@svc/domain/testing/hooked-world'
import type { Post } from '@svc/testing/receiver'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { test as base } from './scene.ts'
import { keep } from './shown-once.ts'

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
  const secret = await keep(page, 'Its secret, shown this once')
  expect(secret).toMatch(/^whsec_.{20,}$/)
  return secret
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
