import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  calls,
  mission,
  objective,
  routes,
  serveMission,
  svc,
  useAnswers,
} from '../testing/answers.ts'

useAnswers()

const made = { mission, objectives: [objective] }

test('an objective is added from a file, behind those that are written out', async () => {
  routes['POST /api/missions/web%3A12/objectives'] = () => made
  const folder = mkdtempSync(join(tmpdir(), 'svc-add-'))
  const file = join(folder, 'task.md')
  writeFileSync(file, '# Write\nthe docs')
  const argv = ['objectives', 'add', 'web:12', '--objective', 'first', '--instruction-file', file]
  expect((await svc(...argv)).code).toBe(0)
  rmSync(folder, { recursive: true })
  expect(calls[0]?.body).toEqual({
    objectives: [{ instruction: 'first' }, { instruction: '# Write\nthe docs' }],
  })
})

test.each([
  ['POST /api/missions', ['missions', 'create', 'web', 'Dark mode']],
  ['POST /api/missions/web%3A12/objectives', ['objectives', 'add', 'web:12']],
])('%s is answered with what to do now', async (route, argv) => {
  routes[route] = () => made
  serveMission({ objectives: [objective], agents: ['claude'] })
  const { code, stdout } = await svc(...argv, '--objective', 'Add a switch.')
  expect(code).toBe(0)
  expect(stdout).toMatch(/\n\nWhat to do now\n.*\n {2}svc launch web:12\.k7qd --agent claude\n$/)
})

test('what was planned is printed where what to do now cannot be read', async () => {
  routes['POST /api/missions'] = () => made
  const { code, stdout } = await svc('missions', 'create', 'web', 'Dark mode')
  expect({ code, isNamed: stdout.includes('web:12.k7qd') }).toEqual({ code: 0, isNamed: true })
})

test.each([
  [['objectives', 'add', 'web:12'], 'Name what is to be done'],
  [['objectives', 'add', 'web:12', '--instruction-file', '/dev/null'], 'is empty'],
  [['objectives', 'add', 'web:12', '--objective', ''], '--objective is empty'],
  [['missions', 'create', 'web', 'Dark mode', '--objective', ' '], '--objective is empty'],
  [['missions', 'create', 'web', 'Dark mode', '--objective', '<instruction>'], 'your own words'],
])('%j says nothing of what is to be done, and is refused', async (argv, message) => {
  const { code, stderr } = await svc(...argv)
  expect({ code, calls }).toEqual({ code: 2, calls: [] })
  expect(stderr).toContain(message)
})
