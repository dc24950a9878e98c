import { expect, test } from 'vitest'
import { namedPath } from './named-path.ts'

test.for([
  ['web:12', '/m/web:12'],
  [' Web:12 ', '/m/web:12'],
  ['web:12.k7qd', '/o/web:12.k7qd'],
  ['my-shop:1.0HFD', '/o/my-shop:1.0hfd'],
  ['web', undefined],
  ['web:0', undefined],
  ['web:12.', undefined],
  ['web:12 dark', undefined],
  ['../web:12', undefined],
  ['javascript:1/alert', undefined],
] as const)('%j leads to %s', ([typed, path]) => {
  expect(namedPath(typed)).toBe(path)
})
