import { expect, test } from 'vitest'
import { queueKeys } from './keys.ts'

const nothing = () => undefined
const keysFor = (mayCall: (operation: string) => boolean) =>
  queueKeys({
    mayCall,
    walk: nothing,
    step: nothing,
    retry: nothing,
    remove: nothing,
    start: nothing,
    pause: nothing,
    create: nothing,
  }).map(({ keys }) => keys)

test('whoever may only look goes from entry to entry, and has no key that changes anything', () => {
  expect(keysFor(() => false)).toEqual(['j', 'k', 'Enter'])
})

test('each thing that a person may do here has a key of its own', () => {
  const keys = keysFor(() => true)
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys).toEqual(expect.arrayContaining(['Alt+ArrowUp', 't', 'Delete', 's', 'p', 'c']))
})
