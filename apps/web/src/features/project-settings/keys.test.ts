import { expect, test } from 'vitest'
import { rightsOf } from '../../data/rights.ts'
import { settingsKeys } from './keys.ts'

test.each([
  ['viewer', 'j k'],
  ['member', 'j k e c Alt+ArrowUp Alt+ArrowDown r Mod+Enter'],
  ['admin', 'j k e c Alt+ArrowUp Alt+ArrowDown r l Mod+Enter'],
] as const)('a %s has the keys of what they may do', (role, keys) => {
  const { mayCall } = rightsOf({ role })
  const does = { mayCall, walk: () => undefined, press: () => undefined }
  expect(settingsKeys(does).map((key) => key.keys)).toEqual(keys.split(' '))
})

test('a key of a part presses its button', () => {
  const pressed: string[] = []
  const keys = settingsKeys({
    mayCall: () => true,
    walk: () => undefined,
    press: (action) => pressed.push(action),
  })
  for (const key of keys) key.run()
  expect(pressed).toEqual(['edit-project', 'new-column', 'add-resource', 'edit-launch'])
})
