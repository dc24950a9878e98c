import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { appPages } from '../pages/app-pages.ts'
import { test } from './scene.ts'

/**
 * Remembers what has had the focus from here on. A row of a long list is drawn anew whenever it comes back into sight: it is
 * remembered by its place in the list.
 */
const watchFocus = `(() => {
  const ofAny = new WeakSet()
  const ofLists = new WeakMap()
  const placeOf = (one) => {
    const row = one.closest('li[aria-posinset]')
    if (row === null) return { among: ofAny, name: one }
    if (!ofLists.has(row.parentElement)) ofLists.set(row.parentElement, new Set())
    const among = ofLists.get(row.parentElement)
    return { among, name: row.ariaPosInSet + '/' + [...row.querySelectorAll('*')].indexOf(one) }
  }
  const remember = (one) => {
    const { among, name } = placeOf(one)
    among.add(name)
  }
  window.isReached = (one) => {
    const { among, name } = placeOf(one)
    return among.has(name)
  }
  remember(document.activeElement)
  document.addEventListener('focusin', ({ target }) => remember(target), true)
})()`

/**
 * What can be pressed, followed or written into, and has not had the focus. A line of a log has its turn once it was found: keys
 * lead from one that was found to the next.
 */
const unreached = `(() => {
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  return [...(dialog ?? document).querySelectorAll(
    'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [role="tab"]'
  )]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !window.isReached(one))
    .filter((one) => one.closest('[data-offset]:not([data-current])') === null)
    .map((one) => one.ariaLabel ?? one.labels?.[0]?.textContent ?? one.textContent)
})()`

const left = (page: Page) => page.evaluate<string[]>(unreached)
const inField = `document.activeElement.matches('input, select, textarea')`
const inCard = `document.activeElement.closest('[data-card]') !== null`
const rowOfFiles = `(() => {
  const row = document.activeElement.closest('[aria-label="Changed files"] > li')
  return row === null ? undefined : { at: Number(row.ariaPosInSet), of: Number(row.ariaSetSize) }
})()`

/** All that keys lead to: Tab, and arrows among the tabs of a list, the files of a review and the cards of a board. */
async function walk(page: Page): Promise<void> {
  const { length } = await left(page)
  // arrows among tabs show each part anew, which may be there when Tab has gone past it: it has its turn the next time round
  for (let round = 0; round < 3; round += 1) {
    await walkRound(page, { presses: length + 20, withArrows: round === 0 })
    if ((await left(page)).length === 0) return
  }
  // in a field they would be letters
  while (await page.evaluate(inField)) await page.keyboard.press('Tab')
  // from line to line of a file, and to the cards of a board
  for (const key of ['k', 'j']) {
    for (let lines = 0; lines < length; lines += 1) await page.keyboard.press(key)
  }
  for (const across of ['ArrowLeft', 'ArrowRight']) {
    for (let columns = 0; columns < 8; columns += 1) {
      for (const along of ['ArrowUp', 'ArrowDown']) {
        for (let cards = 0; cards < 8 && (await page.evaluate(inCard)); cards += 1) {
          await page.keyboard.press('Tab')
          await page.keyboard.press('Shift+Tab')
          await page.keyboard.press(along)
        }
      }
      await page.keyboard.press(across)
    }
  }
}

async function walkRound(
  page: Page,
  { presses, withArrows }: { presses: number; withArrows: boolean },
): Promise<void> {
  for (let press = 0; press < presses; press += 1) {
    await page.keyboard.press('Tab')
    if (withArrows && (await page.evaluate('document.activeElement.role === "tab"'))) {
      const tabs = await page.getByRole('tab').count()
      for (let turn = 0; turn < tabs; turn += 1) await page.keyboard.press('ArrowRight')
    }
    if (withArrows) await walkFiles(page)
  }
}

/** From the first file of a review to the last, where the focus is among them: Tab goes on from one of them. */
async function walkFiles(page: Page): Promise<void> {
  const row = () => page.evaluate<{ at: number; of: number } | undefined>(rowOfFiles)
  if ((await row()) === undefined) return
  await page.keyboard.press('Home')
  // a row that is not drawn yet has the focus once it is
  await expect.poll(async () => (await row())?.at).toBe(1)
  for (let at = 1; at < ((await row())?.of ?? 0); at += 1) {
    await page.keyboard.press('ArrowDown')
    await expect.poll(async () => (await row())?.at, { interval: 5 }).toBe(at + 1)
  }
}

describe('by keys alone one comes to every control of', () => {
  test.for(appPages.map(({ name }) => name))(
    '%s',
    { timeout: 600_000 },
    async (name, { openApp, scene }) => {
      const { page } = await openApp()
      await appPages.find((one) => one.name === name)?.open(page, scene)
      await page.evaluate(watchFocus)
      await walk(page)
      expect(await left(page)).toEqual([])
    },
  )
})
