import { expect, test } from 'vitest'
import { cameSince, idsHere } from './sorted.ts'

const here = (id: string) => ({ id, label: `lap-${id}`, state: 'connected' as const })
const away = (id: string) => ({ ...here(id), state: 'unavailable' as const })

test('a runner has come when it is new, or when it was away', () => {
  const before = idsHere([here('1'), away('2')])
  expect(cameSince(before, [here('1'), away('2')])).toEqual([])
  expect(cameSince(before, [here('1'), here('2'), here('3')])).toEqual([here('2'), here('3')])
  expect(cameSince(before, [away('3')])).toEqual([])
})
