import { expect, test } from 'vitest'
import { holdInSight, placesInSight, shows } from './in-sight.ts'

const cause = {
  key: 'question/1',
  title: '',
  body: '',
  path: '/o/web:12.k7qd',
  mission: 'web:12',
  project: 'web',
}

test.each([
  ['/', true],
  ['/?project=web', true],
  ['/?project=api', false],
  ['/wall', true],
  ['/wall?p=api,web', true],
  ['/wall?p=api', false],
  ['/m/web:12', true],
  ['/m/web:12/review?o=k7qd', true],
  ['/m/web:1', false],
  ['/o/web:12.k7qd', true],
  ['/o/web:12.p2zz', true],
  ['/o/api:12.k7qd', false],
  ['/p/web', false],
  ['/none', false],
])('whoever looks at %s sees it there: %s', (place, isSeen) => {
  expect(shows(place, cause)).toBe(isSeen)
})

test('a tab says what is in sight as long as it has the focus', async () => {
  const looking = new AbortController()
  holdInSight(navigator.locks, 'here:', '/m/web:12', looking.signal)
  holdInSight(navigator.locks, 'elsewhere:', '/', looking.signal)
  const places = () => placesInSight(navigator.locks, 'here:')
  await expect.poll(places).toEqual(['/m/web:12'])
  looking.abort()
  await expect.poll(places).toEqual([])
})
