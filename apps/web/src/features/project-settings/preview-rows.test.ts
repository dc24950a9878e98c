import type { PreviewedLaunch } from '@svc/contracts/previewed-launch'
import { expect, test } from 'vitest'
import { compareLines, previewRows } from './preview-rows.ts'

const before: PreviewedLaunch = {
  config: {
    agent: { value: 'claude', source: 'request' },
    model: { value: null, source: 'default' },
    reasoningEffort: { value: 'high', source: 'project' },
    preCommand: { value: 'nvm exec', source: 'project' },
    flags: { value: ['--fast'], source: 'project' },
  },
  rights: { value: 'work', source: 'default' },
  launchSettings: {
    preCommand: 'nvm exec',
    preLaunchCommands: ['make'],
    launchEnvVars: { KEY: 'a=b' },
    agentFlags: {},
    pushBranches: false,
    checks: { test: { command: 'npm test' }, lint: { command: 'make lint', timeoutSeconds: 9 } },
  },
  needsTrust: true,
}

test('a launch is shown in the order in which things are used, and values when they are asked for', () => {
  const lines = (showsValues: boolean) =>
    Object.fromEntries(
      previewRows({ before, after: before }, showsValues).map((row) => [
        row.label,
        row.lines.map(({ text }) => text),
      ]),
    )
  expect(lines(false)).toMatchObject({
    'Before the agent': ['make'],
    Variables: ['KEY'],
    'Started as': ['nvm exec claude --fast'],
    Effort: ['high'],
    'It may run': [],
    'Before its delivery': [
      'lint: make lint (9 seconds at most)',
      'test: npm test (600 seconds at most)',
    ],
    'Its branches': ['stay on the machine'],
  })
  expect(lines(true)['Variables']).toEqual(['KEY=a=b'])
})

test.each([
  ['a b', 'a b', 'a b'],
  ['a b', 'a c', '-b a +c'],
  ['a b', 'b a', '-a -b +b +a'],
  ['', 'a', '+a'],
  ['a b c', 'a c', '-b a c'],
])('what was %j and is to be %j is marked', (now, later, marked) => {
  const words = (text: string) => text.split(' ').filter((word) => word !== '')
  const signs = { now: '-', later: '+', both: '' }
  const shown = compareLines(words(now), words(later)).map(({ text, of }) => signs[of] + text)
  expect(shown.join(' ')).toBe(marked)
})
