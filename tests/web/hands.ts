import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** What somebody without a mouse has: keys, and eyes. */
export interface Hands {
  press: (...keys: string[]) => Promise<void>
  type: (text: string) => Promise<void>
  /** By the Tab key to what is called so. */
  to: (name: string | RegExp) => Promise<void>
  /** The same, and presses Enter there. */
  do: (name: string | RegExp) => Promise<void>
  /** The row of the open menu, by arrows, and presses Enter there. */
  pick: (name: string | RegExp) => Promise<void>
  sees: (text: string | RegExp) => Promise<void>
  /** A dialog is open, and has the focus. */
  seesDialog: (title: string | RegExp) => Promise<void>
}

/** Of so many presses each: what is to be reached may be slow to come. */
const rounds = 10

/** As it is written, and as it is read aloud: without the key that stands in a button. */
const namesOfFocused = `(() => {
  const it = document.activeElement
  // past the last control nothing has the focus: the text of the whole page is no name
  if (it === document.body) return []
  const heard = it.cloneNode(true)
  for (const part of heard.querySelectorAll('[aria-hidden=true]')) part.remove()
  const name = (text) => (it.ariaLabel ?? it.labels?.[0]?.textContent ?? text).trim()
  return [name(it.textContent), name(heard.textContent)]
})()`

export function handsAt(page: Page): Hands {
  const walk = async (key: string, name: string | RegExp) => {
    const passed: string[] = []
    for (let round = 0; round < rounds; round += 1) {
      passed.length = 0
      while (passed.length < 120) {
        await page.keyboard.press(key)
        const names = await page.evaluate<string[]>(namesOfFocused)
        if (names.some((one) => (typeof name === 'string' ? one === name : name.test(one)))) return
        passed.push(names.join(' = ').slice(0, 40))
      }
      // what waits for something that is read cannot have the focus yet
      await page.waitForTimeout(500)
    }
    throw new Error(`${String(name)} is not reached by ${key}, only ${passed.join(' | ')}`)
  }
  const hands: Hands = {
    press: async (...keys) => {
      for (const key of keys) await page.keyboard.press(key)
    },
    type: (text) => page.keyboard.type(text),
    to: (name) => walk('Tab', name),
    do: async (name) => {
      await walk('Tab', name)
      await page.keyboard.press('Enter')
    },
    pick: async (name) => {
      await page.getByRole('menuitem', { name }).waitFor()
      await walk('ArrowDown', name)
      await page.keyboard.press('Enter')
    },
    sees: (text) => page.getByText(text).first().waitFor({ state: 'attached' }),
    seesDialog: async (title) => {
      await page.getByRole('dialog', { name: title }).waitFor()
      await expect
        .poll(() => page.evaluate(`document.activeElement?.closest('dialog') !== null`))
        .toBe(true)
    },
  }
  return hands
}
