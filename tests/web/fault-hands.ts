import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Hands } from './hands.ts'

/** One thing that was done on the way to a call. */
export type Deed =
  | { do: 'open'; path: string; seen: string | RegExp }
  | { do: 'press'; key: string }
  | { do: 'type'; text: string }
  | { do: 'to' | 'do' | 'pick' | 'sees' | 'seesDialog'; name: string | RegExp }

/** The call was sent: whatever else would be done is not. */
export class Sent extends Error {}

/** Does what a proof does, by the names of what is there, and keeps how. `sent` ends it. */
export function recordingHands(page: Page, sent: Promise<void>) {
  const deeds: Deed[] = []
  const act = async (deed: Deed) => {
    const done = perform(page, deed)
    done.catch(() => undefined)
    await Promise.race([done, sent])
    if (await isOver(sent)) throw new Sent()
    await done
  }
  const record = async (deed: Deed) => {
    deeds.push(deed)
    await act(deed)
  }
  const hands: Hands = {
    press: async (...keys) => {
      for (const key of keys) await record({ do: 'press', key })
    },
    type: (text) => record({ do: 'type', text }),
    to: (name) => record({ do: 'to', name }),
    do: (name) => record({ do: 'do', name }),
    pick: (name) => record({ do: 'pick', name }),
    sees: (name) => record({ do: 'sees', name }),
    seesDialog: (name) => record({ do: 'seesDialog', name }),
  }
  const open = (path: string, seen: string | RegExp) => record({ do: 'open', path, seen })
  return { hands, open, deeds }
}

async function isOver(sent: Promise<void>): Promise<boolean> {
  const open = Symbol('open')
  return (await Promise.race([sent, Promise.resolve(open)])) !== open
}

export async function perform(page: Page, deed: Deed): Promise<void> {
  switch (deed.do) {
    case 'open':
      await page.goto(deed.path)
      await page.getByRole('status').getByText('live', { exact: true }).waitFor()
      return page.getByText(deed.seen).first().waitFor()
    case 'press':
      return page.keyboard.press(deed.key)
    case 'type':
      return page.keyboard.type(deed.text)
    case 'to':
      return until(page, focusOn(deed.name), `there is ${String(deed.name)}`)
    case 'do':
      await until(page, focusOn(deed.name), `there is ${String(deed.name)}`)
      return page.keyboard.press('Enter')
    case 'pick':
      return page.getByRole('menuitem', { name: deed.name }).click()
    case 'sees':
      return page.getByText(deed.name).first().waitFor({ state: 'attached' })
    case 'seesDialog':
      await page.getByRole('dialog', { name: deed.name }).waitFor()
      return until(page, `document.activeElement?.closest('dialog') !== null`)
  }
}

/** Whether nothing lies over the page that says that one is signed out, which may come late; what does is closed. */
export const isTold = `(() => {
  const told = [...document.querySelectorAll('dialog[open]')]
    .find((one) => one.querySelector('h2').textContent === 'You are signed out')
  told?.querySelector('button').click()
  return told === undefined
})()`

/** What a page is asked from outside its policy does not forbid. */
export async function until(page: Page, isSo: string, what = isSo): Promise<void> {
  await expect
    .poll(() => page.evaluate<boolean>(`${isTold} && (${isSo})`), { interval: 20, message: what })
    .toBe(true)
}

/**
 * Gives the focus to the next thing of that name, in the order of the Tab key, and says whether there is one. The same names
 * as for who has only keys.
 */
export function focusOn(name: string | RegExp): string {
  const isIt =
    typeof name === 'string'
      ? `(text) => text === ${JSON.stringify(name)}`
      : `(text) => ${String(name)}.test(text)`
  return `(() => {
    const isIt = ${isIt}
    const part = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document
    const all = [...part.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
      .filter((one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0)
    const at = document.activeElement
    const isAfter = (one) => (at.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
    const inOrder = [...all.filter(isAfter), ...all.filter((one) => !isAfter(one))]
    const found = inOrder.find((one) => {
      const heard = one.cloneNode(true)
      for (const part of heard.querySelectorAll('[aria-hidden=true]')) part.remove()
      const name = (text) => (one.ariaLabel ?? one.labels?.[0]?.textContent ?? text).trim()
      return [name(one.textContent), name(heard.textContent)].some(isIt)
    })
    found?.focus()
    return found !== undefined
  })()`
}
