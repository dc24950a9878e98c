import { expect, test } from 'vitest'
import { at, calls, id, listedRun, routes, shownAt, svc, useAnswers } from '../testing/answers.ts'

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

test('a runner is shown with its agents, its checkouts and what it carries', async () => {
  routes['GET /api/runners'] = () => ({ runners: [runner('01', 'laptop')] })
  const project = { id: id('02'), slug: 'web' }
  routes[`GET /api/runners/${id('01')}`] = () => ({
    runner: {
      ...runner('01', 'laptop'),
      owner: { id: id('09'), name: 'anna' },
      platform: 'linux',
      arch: 'x64',
      version: '1.2.3',
      capacity: { max: 2, running: 1 },
      projects: [project],
      offers: [{ key: 'claude', version: '2.1', path: '/bin/claude' }],
      heldAgents: [{ key: 'codex', reason: 'quota', until: at }],
      checkouts: [{ project, resourceKey: 'app', state: 'missing', path: null }],
    },
    executionRequests: [listedRun],
  })
  const { code, stdout } = await svc('runner', 'show', 'laptop')
  expect(code).toBe(0)
  for (const line of [
    /^owner +anna$/m,
    /^carries +1 of 2 runs$/m,
    /^projects +web$/m,
    /^claude +2\.1 +offered +\/bin\/claude$/m,
    /^codex +- +held until .*: the quota of its account is used up/m,
    /^web +app +missing/m,
    /web:12\.k7qd +queued/,
  ])
    expect(stdout).toMatch(line)
})

test('agents are listed with who offers them, who holds them, and what they were started with', async () => {
  const of = (last: string, label: string, state = 'connected') => ({ id: id(last), label, state })
  routes['GET /api/agents'] = () => ({
    agents: [
      {
        key: 'claude',
        models: ['opus', 'haiku'],
        efforts: ['high'],
        runners: [of('01', 'laptop'), of('02', 'box', 'unavailable')],
        heldBy: [{ ...of('03', 'attic'), reason: 'quota', until: at }],
      },
    ],
  })
  const { stdout } = await svc('agents', 'list')
  expect(stdout.split('\n')[1]).toMatch(
    /^claude +laptop, box \(away\) +attic until .*: the quota of its account is used up +opus haiku +high$/,
  )
})
