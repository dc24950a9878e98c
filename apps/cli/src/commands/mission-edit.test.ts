import { expect, test } from 'vitest'
import { mission, routes, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

test('a mission is renamed, and the way of its objectives changed, by command', async () => {
  const sent: unknown[] = []
  routes['PATCH /api/missions/web%3A12'] = (body: unknown) => {
    sent.push(body)
    return { mission }
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
