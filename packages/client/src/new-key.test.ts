import { expect, test } from 'vitest'
import { newKey, uuidOf } from './new-key.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('a key is a UUID, also where only random bytes are to be had', () => {
  expect(newKey()).toMatch(uuid)
  for (const byte of [0, 255]) expect(uuidOf(new Uint8Array(16).fill(byte))).toMatch(uuid)
  expect(uuidOf(crypto.getRandomValues(new Uint8Array(16)))).toMatch(uuid)
})
