import { expectReadable } from '../pages/describe-reading.ts'
import { narrowest } from '../pages/pages.ts'
import { describeHostile } from './describe-hostile.ts'
import { oneOfEachKind } from './hostile-texts.ts'

// such texts are long words, too: what they are on fits and is read by everybody
describeHostile(oneOfEachKind, async (page) => {
  const size = page.viewportSize()
  await expectReadable(page, [{ colorScheme: 'dark', width: narrowest, axe: 'all' }])
  await page.emulateMedia({ colorScheme: null })
  if (size) await page.setViewportSize(size)
})
