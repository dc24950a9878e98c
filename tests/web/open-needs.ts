import type { Project } from '@svc/contracts/project'
import type { Locator, Page } from 'playwright-core'
import { expectLive } from './scene.ts'

/** What needs somebody, of one project alone: other tests of the file have others. */
export async function openNeeds(page: Page, project: Project, search = ''): Promise<void> {
  await page.goto(`/w/here?project=${project.slug}${search}`)
  await expectLive(page)
  await page.getByRole('heading', { name: 'Needs you' }).waitFor()
}

/** The row of what has this name: a display id, or what a queue or webhook is called. */
export function needRow(page: Page, name: string): Locator {
  return page.locator('[data-need]').filter({ has: page.getByText(name, { exact: true }) })
}

/** The names of the rows, in the order of the page. */
export function needNames(page: Page): Promise<string[]> {
  return page
    .locator('[data-need] article')
    .evaluateAll((articles) =>
      articles.map((article) =>
        (article.getAttribute('aria-label') ?? '').replace('Question of ', ''),
      ),
    )
}
