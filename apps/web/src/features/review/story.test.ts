import { expect, test } from 'vitest'
import {
  type Branch,
  type Delivery,
  lastLines,
  meaning,
  meantDelivery,
  mergeCommands,
  reviewCommand,
  urgentFirst,
} from './story.ts'

test('an address means the newest delivery of its objective, by either form of its id', () => {
  // what of a delivery matters to that
  const deliveries = [
    { id: '3', objectiveId: 'two' },
    { id: '2', objectiveId: 'one' },
    { id: '1', objectiveId: 'one' },
  ] as Delivery[]
  const ids = new Map([
    ['one', 'web:12.k7qd'],
    ['two', 'web:12.0hfd'],
  ])
  const meant = (id?: string) => meantDelivery(deliveries, ids, id)?.id
  expect([meant('k7qd'), meant('web:12.k7qd'), meant('none'), meant()]).toEqual([
    '2',
    '2',
    '3',
    '3',
  ])
  expect(meantDelivery([], ids, 'k7qd')).toBeUndefined()
  expect([meant('1'), meant('2')]).toEqual(['1', '2'])
  expect(deliveries.map((one) => meaning(deliveries, ids, one))).toEqual(['0hfd', 'k7qd', '1'])
  const deleted = new Map([...ids].slice(1))
  expect(deliveries.map((one) => meaning(deliveries, deleted, one))).toEqual(['0hfd', '2', '1'])
})

test('the command is about one branch alone', () => {
  // what of a branch matters to that
  const web = { objective: null, resourceKey: 'web' } as Branch
  const own = { objective: 'web:12.k7qd', resourceKey: 'api' } as Branch
  expect(reviewCommand('web:12', web, [web])).toBe('svc review web:12')
  expect(reviewCommand('web:12', web, [web, own])).toBe('svc review web:12 --resource web')
  expect(reviewCommand('web:12', own, [web, own])).toBe('svc review web:12.k7qd --resource api')
})

test('each branch that has commits is merged by a command of its own', () => {
  // what of a branch matters to that
  const at = (resourceKey: string, lastSha: string) =>
    ({ objective: null, resourceKey, startSha: 'a', lastSha }) as Branch
  const [docs, web, api] = [at('docs', 'b'), at('web', 'c'), at('api', 'a')]
  expect(mergeCommands('web:12', [docs])).toEqual(['svc review web:12 --merge'])
  expect(mergeCommands('web:12', [docs, web, api])).toEqual([
    'svc review web:12 --resource docs --merge',
    'svc review web:12 --resource web --merge',
  ])
  expect(mergeCommands('web:12', [docs, api])).toEqual([
    'svc review web:12 --resource docs --merge',
  ])
  expect(mergeCommands('web:12', [api])).toEqual([])
})

test('what blocks is done first, the rest in its order', () => {
  const actions = [{ action: 'a' }, { action: 'b', blocking: true }, { action: 'c' }]
  expect(urgentFirst(actions).map(({ action }) => action)).toEqual(['b', 'a', 'c'])
})

test('of what a check printed the last lines are shown', () => {
  expect(lastLines('1\n2\n3\n\n', 2)).toBe('2\n3')
})
