import { expect, test } from 'vitest'
import { inWords, isDescribed } from './permission-words.ts'
import { permissions, presetPermissions } from './permissions.ts'

test('everything that a token or an application can be given is said in words', () => {
  expect(permissions.filter((one) => !isDescribed(one))).toEqual([])
  expect(inWords(presetPermissions.mission_lifecycle)).toHaveLength(6)
})

test('whoever may only read is shown reading alone', () => {
  expect(inWords(['mission:read', 'project:read'])).toEqual([
    'read projects, missions, their history and what agents delivered',
  ])
})
