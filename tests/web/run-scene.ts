import type { World } from '@svc/domain/testing/open-world'
import type { Page } from 'playwright-core'
import { showMission } from './mission-scene.ts'

/** A run in the middle of its work that has printed that. */
export async function printingRun(world: World, printed: string) {
  const shown = await showMission(world)
  const { runner, asking } = shown
  let length = await runner.log(asking.lease, 0, printed)
  return {
    ...shown,
    id: asking.lease.id,
    /** Prints more, at most 1 MiB at once; `skipped` bytes before it are not kept. */
    print: async (text: string, skipped = 0) => {
      length = await runner.log(asking.lease, length + skipped, text, skipped)
    },
  }
}

export function logOf(page: Page) {
  return page.getByRole('group', { name: 'Log' })
}

/** The lines that can be seen just now, first to last. */
export function linesOnScreen(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const frame = document.querySelector('[role=group][aria-label=Log]')
    const { top, bottom } = frame.getBoundingClientRect()
    return [...frame.querySelectorAll('[data-offset]')]
      .filter((row) => {
        const place = row.getBoundingClientRect()
        return place.top >= top - 1 && place.bottom <= bottom + 1
      })
      .map((row) => row.lastElementChild.textContent)
  })()`)
}

/** How many places were found, and which of them one looks at. */
export function foundOf(page: Page, words: string) {
  return page.getByRole('region', { name: 'Log of the run' }).getByText(words)
}
