import type { Page } from 'playwright-core'
import { type Deed, focusOn, perform, until } from './fault-hands.ts'

const values = `[...document.querySelectorAll('input, select, textarea')].map(({ value }) => value)`
const holds = (text: string) => `${values}.some((value) => value.includes(${JSON.stringify(text)}))`

/** What of it stands in no field. */
export async function missingOf(page: Page, typed: readonly string[]): Promise<string[]> {
  const there = await page.evaluate<string[]>(values)
  return typed.filter((text) => !there.some((value) => value.includes(text)))
}

const sendAgain = (page: Page) => page.getByRole('button', { name: 'Send again', exact: true })

export async function isOffered(page: Page): Promise<boolean> {
  return (await sendAgain(page).count()) > 0
}

/** By the way that the page offers, which it has to where that is `needed`; else by what it was done by the first time. */
export async function again(page: Page, way: readonly Deed[], needed: boolean): Promise<void> {
  if (needed || (await isOffered(page))) return sendAgain(page).click()
  let from = way.length - 1
  while (from > 0 && !(await isThere(page, way[from], way[from - 1]))) from -= 1
  await walk(page, way.slice(from))
}

/** A key is for what was gone to, or written into, before. */
async function isThere(page: Page, deed?: Deed, before?: Deed): Promise<boolean> {
  if (deed?.do === 'press') return before?.do !== 'to' && before?.do !== 'type'
  return (deed?.do === 'do' || deed?.do === 'to') && page.evaluate<boolean>(focusOn(deed.name))
}

/** The page is opened anew, where nothing is typed again. */
export async function anew(page: Page, way: readonly Deed[]): Promise<void> {
  await page.goto('about:blank')
  await walk(page, way)
}

/** What was typed has to be there; it may have opened by itself what it was typed into. */
async function walk(page: Page, way: readonly Deed[]): Promise<void> {
  for (const [at, deed] of way.entries()) {
    const next = way.slice(at + 1).find((one) => one.do === 'type')
    if (deed.do === 'type') await until(page, holds(deed.text), `"${deed.text}" is in a field`)
    else if (deed.do === 'press') await press(page, deed.key, next !== undefined)
    else if (deed.do === 'do' && next) {
      await until(
        page,
        `${holds(next.text)} || ${focusOn(deed.name)}`,
        `there is ${String(deed.name)}, or "${next.text}" in a field`,
      )
      if (!(await page.evaluate<boolean>(holds(next.text)))) await perform(page, deed)
    } else await perform(page, deed)
  }
}

/** What is ticked stays so; and where the page has put the focus into what was written, a key would be written there. */
async function press(page: Page, key: string, isBefore: boolean): Promise<void> {
  const isTicked = key === 'Space' && (await page.evaluate<boolean>(ticked))
  const isLost = isBefore && (await page.evaluate<boolean>(isWriting))
  if (!isTicked && !isLost) await page.keyboard.press(key)
}

const ticked = 'document.activeElement.checked === true'

const isWriting = `document.activeElement.matches('input, textarea')`
