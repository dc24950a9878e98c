import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { handsAt } from './hands.ts'
import { expectLive } from './scene.ts'

/** A notification of the browser, as a page asked for it. */
export interface Note {
  title: string
  body: string
  tag: string
  isOpen: boolean
}

/**
 * Stands in for what a browser shows outside of its pages: those without a window show nothing, and say `denied` to every
 * page. It allows what it is asked for, and counts how often it is asked.
 */
export async function watchNotes(
  context: BrowserContext,
  standing: 'default' | 'denied' | 'granted' = 'default',
): Promise<void> {
  await context.addInitScript(`(() => {
    const notes = (window.notes = [])
    window.timesAsked = 0
    window.Notification = class extends EventTarget {
      static get permission() {
        return localStorage.getItem('test:notifications') ?? '${standing}'
      }
      static async requestPermission() {
        window.timesAsked += 1
        if (this.permission === 'default') localStorage.setItem('test:notifications', 'granted')
        return this.permission
      }
      constructor(title, { body, tag }) {
        super()
        this.note = { title, body, tag, isOpen: true }
        notes.push({ note: this.note, click: () => this.dispatchEvent(new Event('click')) })
      }
      close() {
        this.note.isOpen = false
      }
    }
  })()`)
}

/** Somebody allows them in the settings of the browser, and comes back. */
export async function allowNotes(page: Page): Promise<void> {
  await page.evaluate(`localStorage.setItem('test:notifications', 'granted')`)
  await page.evaluate(`window.dispatchEvent(new Event('focus'))`)
}

/** Those of all tabs, but for the one that shows what they are like. */
export async function notesOf(...pages: Page[]): Promise<Note[]> {
  const found = await Promise.all(
    pages.map((page) => page.evaluate<Note[]>('notes.map(({ note }) => note)')),
  )
  return found.flat().filter(({ tag }) => tag !== 'svc:turned-on')
}

/** By the keyboard alone. */
export async function turnOn(page: Page): Promise<void> {
  const hands = handsAt(page)
  await hands.do(/^You, /)
  await hands.pick('Notifications')
  await hands.seesDialog('Notifications')
  expect(await page.evaluate('timesAsked')).toBe(0)
  await hands.do(/^Turn on/)
  await hands.sees('They are on.')
  await untilNews(page)
  await hands.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
}

/** A page of the projects, where they are on. */
export async function openNotified(page: Page): Promise<void> {
  await watchNotes(page.context())
  await page.goto('/w/here/projects')
  await expectLive(page)
  await turnOn(page)
}

/** What was there when they were turned on is known, and whatever comes from now on is news. */
export async function untilNews(page: Page): Promise<void> {
  const isKnown = `Object.keys(localStorage).some((name) => name.startsWith('svc:notified:'))`
  await expect.poll(() => page.evaluate<boolean>(isKnown)).toBe(true)
}
