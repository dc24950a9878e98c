import { expect, test } from 'vitest'
import { isUuid, missionOf, projectOf, readWanted, shortId } from './wanted.ts'

test.each([
  ['?do=launch&agent=claude&resourceKey=web', 'launch', 'claude', 'web'],
  ['do=edit', 'edit', undefined, undefined],
])('an address asks for an action: %s', (search, action, agent, resourceKey) => {
  expect(readWanted(search)).toEqual({ action, agent, resourceKey })
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
