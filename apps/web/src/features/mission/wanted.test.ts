import { expect, test } from 'vitest'
import { isUuid, missionOf, projectOf, readWanted, shortId } from './wanted.ts'

test.each([
  [
    '?do=launch&agent=claude&resourceKey=web',
    { action: 'launch', agent: 'claude', resourceKey: 'web' },
  ],
  ['do=edit', { action: 'edit' }],
  ['do=answer&question=1', { action: 'answer', question: '1' }],
])('an address asks for an action: %s', (search, wanted) => {
  expect(readWanted(search)).toEqual(wanted)
})

test.each(['', '?do=', '?do=explode', '?agent=claude'])(
  'an address asks for none: %j',
  (search) => {
    expect(readWanted(search)).toBeUndefined()
  },
)

test('an objective is told by its mission and its own part', () => {
  expect(missionOf('web:12.k7qd')).toBe('web:12')
  expect(shortId('web:12.k7qd')).toBe('.k7qd')
  expect(projectOf('web:12.k7qd')).toBe('web')
  expect(isUuid('web:12')).toBe(false)
  expect(isUuid('01980000-0000-7000-8000-000000000000')).toBe(true)
})
