import { expect, test } from 'vitest'
import type { FileGroup, ReviewedFile } from './changed.ts'
import { itemByKey, itemsOf, keyOfGroup } from './file-items.ts'

const group = (label: string | undefined, ...paths: string[]): FileGroup => ({
  label,
  count: paths.length,
  // what of a file matters to a row
  files: paths.map((path) => ({ path }) as ReviewedFile),
})

test('the rows are the heads of the groups with their files, and what is not read yet', () => {
  const groups = [group('Why', 'a', 'b'), group(undefined, 'c')]
  const keys = (closed: string[], left = 0) =>
    itemsOf(groups, new Set(closed), left).map(({ key }) => key)
  expect(keys([])).toEqual(['group:Why', 'file:a', 'file:b', 'group:', 'file:c'])
  expect(keys([keyOfGroup('Why')], 7)).toEqual(['group:Why', 'group:', 'file:c', 'more'])
})

test('where no reason was given there are no heads, and none that could be closed', () => {
  const [alone] = [itemsOf([group(undefined, 'a')], new Set([keyOfGroup(undefined)]), 0)]
  expect(alone.map(({ key }) => key)).toEqual(['file:a'])
})

test('keys lead from row to row, and to no other one than there is', () => {
  expect([itemByKey('ArrowDown', 0, 3), itemByKey('ArrowDown', 2, 3)]).toEqual([1, 2])
  expect([itemByKey('ArrowUp', 0, 3), itemByKey('End', 0, 3), itemByKey('Home', 2, 3)]).toEqual([
    0, 2, 0,
  ])
  expect(itemByKey('PageDown', 1, 40)).toBe(11)
  expect(itemByKey('n', 1, 40)).toBeUndefined()
})
