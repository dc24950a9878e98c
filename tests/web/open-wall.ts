import type { Project } from '@svc/contracts/project'
import type { Locator, Page } from 'playwright-core'
import { expectLive } from './scene.ts'

/** The wall of these projects, on a screen that a team looks at. */
export async function openWall(page: Page, ...projects: Pick<Project, 'slug'>[]): Promise<void> {
  await page.setViewportSize({ width: 1920, height: 1080 })
  await page.goto(`/w/here/wall?p=${projects.map(({ slug }) => slug).join()}`)
  await expectLive(page)
  await page.getByRole('list', { name: 'How much there is' }).waitFor()
}

export function wallRows(page: Page): Locator {
  return page.getByRole('list', { name: 'What waits and runs' }).getByRole('listitem')
}

/** What stands in each line: sign and word of its state, id, text. */
export function wallLines(page: Page): Promise<string[]> {
  return wallRows(page).evaluateAll((rows) =>
    rows.map((row) =>
      [...row.children]
        .slice(0, 3)
        .map(({ textContent }) => textContent?.trim() ?? '')
        .join(' '),
    ),
  )
}

/** As in `1 needs somebody, 0 run, 0 queued, 0 delivered today`. */
export async function wallNumbers(page: Page): Promise<string> {
  const numbers = page.getByRole('list', { name: 'How much there is' }).getByRole('listitem')
  return (await numbers.allTextContents()).join(', ')
}
