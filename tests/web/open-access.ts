import type { Locator, Page } from 'playwright-core'
import { password } from '../pages/scene.ts'
import { expectLive } from './scene.ts'
import { keep } from './shown-once.ts'

/** The row of somebody, or of something, by what it is called. */
export function rowOf(page: Page, list: string, name: string): Locator {
  return page
    .getByRole('list', { name: list, exact: true })
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) })
}

/** Opens what may be done with a member, and chooses from it. */
export async function doWith(page: Page, name: string, what: string): Promise<void> {
  await page.getByRole('button', { name: `What to do with ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: what }).click()
}

/** Invites by the page, and takes the link that is shown. */
export async function invite(page: Page, email: string, role?: string): Promise<string> {
  await page.getByRole('button', { name: 'Invite somebody' }).waitFor()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' })
  await dialog.getByLabel('E-mail address').fill(email)
  if (role !== undefined) await dialog.getByLabel('Role').selectOption(role)
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  return keep(page, 'The link, shown this once')
}

/** Whoever has the link is nobody here yet. */
export async function joinBy(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Password').fill(`${password} of ${name}`)
  await page.getByRole('button', { name: /^Join / }).click()
  await expectLive(page)
}

/** What the service answers to a token. */
export async function statusOf(baseUrl: string, token: string, path = '/api/me'): Promise<number> {
  const answer = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${token}` } })
  await answer.body?.cancel()
  return answer.status
}
