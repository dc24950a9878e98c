import { expect, test } from 'vitest'
import { readTab, searchOfTab, tabs, tabsFor } from './tabs.ts'

test('each part of the page has an address, and what is none leads to the members', () => {
  for (const { key } of tabs) {
    expect(readTab(new URLSearchParams(searchOfTab(key)).toString())).toBe(key)
  }
  for (const search of ['', 'tab=', 'tab=none', 'tab=__proto__']) {
    expect(readTab(search)).toBe('members')
  }
})

test('a part that is not theirs is offered to nobody, and named where an address leads there', () => {
  const keysOf = (shown: readonly { key: string }[]) => shown.map(({ key }) => key)
  const own = keysOf(tabsFor(() => false, 'members'))
  expect(own).toEqual(['members', 'tokens', 'applications', 'sign-ins', 'workspace'])
  expect(keysOf(tabsFor(() => false, 'all-tokens'))).toContain('all-tokens')
  expect(keysOf(tabsFor(() => true, 'members'))).toEqual(keysOf(tabs))
})
