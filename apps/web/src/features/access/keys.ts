import type { Key } from '../../shell/keys.ts'
import type { TabKey } from './tabs.ts'

interface PageDoes {
  tabs: readonly { key: TabKey; text: string }[]
  show: (tab: TabKey) => void
  walk: (step: 1 | -1) => unknown
}

/** A digit for each part of the page, as they stand next to each other. */
export function pageKeys({ tabs, show, walk }: PageDoes): Key[] {
  return [
    ...tabs.map(({ key, text }, index) => ({
      keys: String(index + 1),
      does: `show ${text}`,
      run: () => show(key),
    })),
    { keys: 'j', does: 'the next row', run: () => walk(1) },
    { keys: 'k', does: 'the row before', run: () => walk(-1) },
  ]
}

/** What begins something new in the part that is shown. */
export function createKeys(does: string, run: (() => void) | undefined): Key[] {
  return run === undefined ? [] : [{ keys: 'c', does, run }]
}
