import type { Locator, Page } from 'playwright-core'

/** An item of the list, by what it is called. */
export function itemOf(page: Page, title: string): Locator {
  return page
    .getByRole('list', { name: 'Inbox items' })
    .locator('[data-item]')
    .filter({ has: page.getByRole('article', { name: title, exact: true }) })
}

/** The dialog in which an item becomes a mission. */
export function turning(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Turn into a mission' })
}

export function captureField(page: Page): Locator {
  return page.getByLabel('Note something down')
}
