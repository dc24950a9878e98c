import { expect, test } from 'vitest'
import { logKeys, runKeys } from './keys.ts'

const done: string[] = []
const does = (what: string) => () => void done.push(what)

test('a run is cancelled and gone on with by a key where that may be, and only there', () => {
  expect(runKeys({ cancel: undefined, resume: undefined })).toEqual([])
  expect(runKeys({ cancel: does('x'), resume: does('s') }).map(({ keys }) => keys)).toEqual([
    'x',
    's',
  ])
})

test('what is found in a log is gone through by keys', () => {
  const go = (way: string) => void done.push(way)
  const keys = logKeys({ find: does('find'), go, toEnd: does('end'), wrap: does('wrap') })
  for (const name of ['p', 'n', 'f', 'e', 'w']) keys.find(({ keys: one }) => one === name)?.run()
  expect(done).toEqual(['older', 'newer', 'find', 'end', 'wrap'])
})
