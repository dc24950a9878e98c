import { expect, test } from 'vitest'
import { type Typed, keyInMenu } from './key-in-menu.ts'

const rows = ['Move to …', 'Launch …', 'Edit', 'Delete', 'Done'].map((textContent) => ({
  dataset: {},
  textContent,
}))
const none = { ctrlKey: false, metaKey: false, altKey: false }

/** The rows that those keys lead to one after the other, each pressed so long after the one before. */
function press(keys: readonly string[], { apartMs = 100, with: held = none, of = rows } = {}) {
  const typed: { current: Typed | undefined } = { current: undefined }
  let target: unknown
  return keys.map((key, index) => {
    const found = keyInMenu({ key, ...held, target, timeStamp: index * apartMs }, of, typed)
    if (typeof found === 'object') target = found
    return typeof found === 'object' ? found.textContent : found
  })
}

test('arrows go round, Home and End to the ends', () => {
  expect(press(['ArrowDown', 'ArrowDown', 'End', 'ArrowDown', 'ArrowUp', 'Home'])).toEqual([
    'Move to …',
    'Launch …',
    'Done',
    'Move to …',
    'Done',
    'Move to …',
  ])
  expect(press(['ArrowUp'])).toEqual(['Done'])
})

test('letters find the row that begins with them, and one letter again the next one', () => {
  expect(press(['d', 'o'])).toEqual(['Delete', 'Done'])
  expect(press(['d', 'd', 'd'])).toEqual(['Delete', 'Done', 'Delete'])
  expect(press(['e', 'l'], { apartMs: 600 })).toEqual(['Edit', 'Launch …'])
  expect(press(['x'])).toEqual([undefined])
})

test('a row that begins with a sign is found by its word', () => {
  const of = [{ dataset: { word: 'urgent' }, textContent: '▲ urgent' }]
  expect(press(['u'], { of })).toEqual(['▲ urgent'])
})

test('Escape and the Tab key close it; Enter and combinations are left to the browser', () => {
  expect(press(['Escape', 'Tab', 'Enter', ' '])).toEqual(['close', 'close', undefined, undefined])
  expect(press(['d'], { with: { ...none, ctrlKey: true } })).toEqual([undefined])
})
