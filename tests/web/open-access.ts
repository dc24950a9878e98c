import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { password } from '../pages/scene.ts'
import { expectLive } from './scene.ts'

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
