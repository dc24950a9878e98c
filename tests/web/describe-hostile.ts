import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { appPages } from '../pages/app-pages.ts'
import { placeOf } from '../pages/describe-reading.ts'
import { type Hostile, expectOnlyText } from './hostile-scene.ts'
import { onPagesOfWork } from './hostile-work.ts'
import { onPagesOfWorkspace } from './hostile-workspace.ts'

/** Of such texts, on each page of the web app, in all that it shows of what others have written. */
export function describeHostile(
  texts: readonly string[],
  /** Looks at each page as it opens. */
  look: (page: Page) => Promise<void> = () => Promise.resolve(),
) {
  const seen = new Set<string>()

  const expectText: Hostile['expectText'] = async (page, misdeeds) => {
    await expectOnlyText(page, misdeeds)
    const place = placeOf(page)
    if (seen.has(place)) return
    seen.add(place)
    await look(page)
  }

  describe('what somebody hostile has written is text, and asks nothing of anybody:', () => {
    onPagesOfWork({ texts, expectText })
    onPagesOfWorkspace({ texts, expectText })

    // of all those before: alone it has seen none
    test('on every page that there is', () => {
      const pages = appPages.map(({ at }) => at).filter((at) => at !== '/w/:workspace/none')
      expect(seen).toEqual(new Set(pages))
    })
  })
}
