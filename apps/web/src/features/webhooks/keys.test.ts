import { expect, test } from 'vitest'
import { deliveryKeys, listKeys, webhookKeys } from './keys.ts'

const nothing = () => undefined
const does = { create: nothing, test: nothing, edit: nothing, reread: nothing, resend: nothing }
const named = (keys: readonly { keys: string }[]) => keys.map((key) => key.keys)

test('the keys of webhooks are for those who may do what they do', () => {
  expect(named(listKeys(() => true, does))).toEqual(['c'])
  expect(named(listKeys(() => false, does))).toEqual([])
  expect(named(webhookKeys(() => true, does))).toEqual(['t', 'e', 'r'])
  expect(named(webhookKeys(() => false, does))).toEqual(['r'])
  expect(named(deliveryKeys(does))).toEqual(['s', 'r'])
  expect(named(deliveryKeys({ ...does, resend: undefined }))).toEqual(['r'])
})
