import { expect, test } from 'vitest'
import { createKeys, pageKeys } from './keys.ts'
import { tabs, tabsFor } from './tabs.ts'

const nothing = () => undefined

test('each part that is shown has a digit, in the order in which they stand', () => {
  const shown: string[] = []
  const mine = tabsFor(() => false, 'members')
  const keys = pageKeys({ tabs: mine, show: (tab) => shown.push(tab), walk: nothing })
  expect(keys.map((key) => key.keys)).toEqual(['1', '2', '3', '4', '5', 'j', 'k'])
  keys.find((key) => key.keys === '2')?.run()
  expect(shown).toEqual(['tokens'])
  expect(pageKeys({ tabs, show: nothing, walk: nothing })).toHaveLength(tabs.length + 2)
})

test('what somebody may not begin has no key', () => {
  expect(createKeys('new token', undefined)).toEqual([])
  expect(createKeys('new token', nothing)).toMatchObject([{ keys: 'c', does: 'new token' }])
})
