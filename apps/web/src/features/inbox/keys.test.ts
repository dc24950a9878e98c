import { expect, test } from 'vitest'
import { inboxKeys } from './keys.ts'

const does = { rows: () => [], capture: () => undefined, press: () => true }
const keysFor = (mayCall: (operation: string) => boolean) =>
  inboxKeys({ mayCall, ...does }).map(({ keys }) => keys)

test('what somebody may not do with an item has no key', () => {
  expect(keysFor(() => true)).toEqual(['i', 'j', 'k', 't', 'd', 'e', 'Delete'])
  expect(keysFor(() => false)).toEqual(['j', 'k'])
  const ofViewer = (operation: string) => !['createInboxItem', 'turnInboxItem'].includes(operation)
  expect(keysFor(ofViewer)).toEqual(['j', 'k', 'd', 'e', 'Delete'])
})
