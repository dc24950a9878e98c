import { useLayoutEffect } from 'react'
import { createStore } from '../data/store.ts'
import { useStore } from '../data/use-workspace.ts'
import { visible } from '../words/visible.ts'
import { useNeedsCount } from './needs-count.ts'

const name = createStore('')

/** What the tab of the browser is called while the page is shown; the count stands before it by itself. */
export function nameTab(title: string): void {
  name.set(title)
}

const dot = "%3Ccircle cx='12.5' cy='3.5' r='3.5' fill='%23e0820a'/%3E"
const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
const plain = icon?.href ?? ''
const marked = plain.replace('%3C/svg%3E', `${dot}%3C/svg%3E`)

/** `(3) Needs you · svc`, and a dot on its icon: seen from another tab. Not on a page whose tab nobody sees. */
export function TabMark({ isCounted }: { isCounted: boolean }) {
  const title = useStore(name)
  const waiting = useNeedsCount({ enabled: isCounted })
  const count = isCounted && waiting !== undefined && waiting.count > 0 ? waiting.text : undefined
  useLayoutEffect(() => {
    const before = count === undefined ? '' : `(${count}) `
    document.title = `${before}${title === '' ? '' : `${visible(title)} · `}svc`
    if (icon) icon.href = count === undefined ? plain : marked
  }, [title, count])
  return null
}
