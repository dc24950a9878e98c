import { expect, test } from 'vitest'
import { mission, routes, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

test('a mission is renamed, and the way of its objectives changed, by command', async () => {
  const sent: unknown[] = []
  routes['PATCH /api/missions/web%3A12'] = (body: unknown) => {
    sent.push(body)
    return { mission, warnings: [] }
  }
  const edited = await svc('missions', 'edit', 'web:12', '--title', 'Dark', '--parallel', 'on')
  expect(edited.stdout).toContain(mission.displayId)
  expect(sent).toEqual([{ title: 'Dark', allowParallelObjectives: true }])
  for (const choice of ['off', 'project'])
    await svc('missions', 'edit', 'web:12', '--worktrees', choice)
  expect(sent.slice(1)).toEqual([{ useWorktrees: false }, { useWorktrees: null }])
  const nothing = await svc('missions', 'edit', 'web:12')
  expect(nothing.stderr).toContain('Say what to change')
})

test('the budget of a mission is set, and taken away, by command, with what that means', async () => {
  const sent: unknown[] = []
  const message = 'Of 1 run it has used 1 run already: nothing more of it is launched.'
  routes['PATCH /api/missions/web%3A12'] = (body: unknown) => {
    sent.push(body)
    const budget = { usd: '20', tokens: null, runs: 1 }
    return { mission: { ...mission, budget }, warnings: [{ code: 'budget_exhausted', message }] }
  }
  const edit = ['missions', 'edit', 'web:12', '--budget-usd', '20', '--budget-tokens', 'none']
  const { stdout, stderr } = await svc(...edit, '--budget-runs', '1')
  expect(sent).toEqual([{ budget: { usd: '20', tokens: null, runs: 1 } }])
  expect(stdout).toContain('budget $20, 1 run')
  expect(stderr).toBe(`${message}\n`)
  const wrong = await svc('missions', 'edit', 'web:12', '--budget-runs', 'few')
  expect(wrong.stderr).toContain('--budget-runs takes a whole number, or none.')
})
