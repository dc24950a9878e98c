import { expect, test } from 'vitest'
import { needKeys } from './keys.ts'

function press(name: string, current?: string): string[] {
  const gone: string[] = []
  const keys = needKeys({
    rows: ['first', 'second', 'third'],
    current: () => current,
    go: (row) => gone.push(row),
  })
  keys.find((key) => key.keys === name)?.run()
  return gone
}

test('j and k go from row to row, and begin at either end', () => {
  expect(press('j')).toEqual(['first'])
  expect(press('k')).toEqual(['third'])
  expect(press('j', 'first')).toEqual(['second'])
  expect(press('k', 'second')).toEqual(['first'])
  expect([press('j', 'third'), press('k', 'first')]).toEqual([[], []])
})
