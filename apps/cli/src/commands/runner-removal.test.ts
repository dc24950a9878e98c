import { expect, test } from 'vitest'
import { at, calls, id, routes, shownAt, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

const runner = (last: string, label: string) => ({
  id: id(last),
  label,
  state: 'unavailable',
  lastHeardAt: at,
})

test('runners are listed with their ids', async () => {
  routes['GET /api/runners'] = () => ({ runners: [runner('01', 'laptop')] })
  const { stdout } = await svc('runner', 'list')
  expect(stdout.split('\n')[1]).toBe(`laptop  unavailable  ${shownAt}  ${id('01')}`)
})

test('a runner is removed by its label, where one alone has it', async () => {
  const runners = [runner('01', 'laptop'), runner('02', 'box'), runner('03', 'box')]
  routes['GET /api/runners'] = () => ({ runners })
  for (const one of runners) routes[`DELETE /api/runners/${one.id}`] = () => ({})
  expect((await svc('runner', 'remove', 'laptop')).stdout).toBe('removed laptop\n')
  expect((await svc('runner', 'remove', 'box')).code).toBe(2)
  expect((await svc('runner', 'remove', id('03'))).stdout).toBe('removed box\n')
  expect(calls.filter(({ route }) => route.startsWith('DELETE')).map(({ route }) => route)).toEqual(
    [`DELETE /api/runners/${id('01')}`, `DELETE /api/runners/${id('03')}`],
  )
})
