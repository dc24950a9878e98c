import { Role } from '@svc/contracts/permissions'
import { restContracts, type RouteName } from '@svc/contracts/rest'
import { expect, test } from 'vitest'
import { rightsOf } from './rights.ts'

test.each([
  ['viewer', 'getMission', true],
  ['viewer', 'createProject', false],
  ['member', 'createProject', true],
  ['member', 'createWebhook', false],
  ['admin', 'createWebhook', true],
  ['viewer', 'endSignIn', true],
] as const)('a %s may call %s: %s', (role, operation, may) => {
  expect(rightsOf({ role }).mayCall(operation)).toBe(may)
})

test('a role may do all that those below it may', () => {
  // the keys of an object literal are its key type; Object.keys only says string
  const operations = Object.keys(restContracts) as RouteName[]
  const counts = Role.options.map((role) => operations.filter(rightsOf({ role }).mayCall).length)
  expect(counts).toEqual(counts.toSorted((one, other) => other - one))
  expect(new Set(counts).size).toBeGreaterThan(2)
})
