import type { ProjectLaunchSettings } from '@svc/contracts/launch-settings'
import { describe, expect, test } from 'vitest'
import { changesOf, commandPath, problemAt } from './launch-request.ts'
import {
  type LaunchTexts,
  type Setting,
  agentFields,
  checkFields,
  commandFields,
  describeSetting,
  textsOf,
  variableFields,
} from './launch-texts.ts'
import { writeRows } from './rows.ts'
import { settingNames } from './setting-names.ts'

const settings: ProjectLaunchSettings = {
  preCommand: 'nvm exec',
  preLaunchCommands: ['pnpm install', 'for f in *\ndo echo $f\ndone'],
  launchEnvVars: { NODE_ENV: 'test', LONG: 'two\nlines' },
  agents: {
    claude: { model: 'opus', reasoningEffort: 'high', rights: 'all', flags: ['--a b', '-c'] },
    codex: {},
  },
  pushBranches: true,
  allowedCommands: ['npm test', 'make lint'],
  checks: { test: { command: 'npm test', timeoutSeconds: 90 }, lint: { command: 'make lint' } },
  revision: 3,
}
// the keys of an object literal are its key type
const all = Object.keys(settingNames) as Setting[]
const none = textsOf({
  preCommand: null,
  preLaunchCommands: [],
  launchEnvVars: {},
  agents: {},
  pushBranches: false,
  allowedCommands: [],
  checks: {},
  revision: 1,
})

describe('launch settings', () => {
  test('are written as texts, and sent as they were', () => {
    const { revision: _revision, ...sent } = settings
    expect(changesOf(textsOf(settings), all)).toEqual({ changes: sent, problems: new Map() })
    expect(changesOf(textsOf(settings), [])).toEqual({ changes: {}, problems: new Map() })
  })

  test('that are none are sent as none, and only where they are changed', () => {
    expect(changesOf(none, ['preCommand', 'checks']).changes).toEqual({
      preCommand: null,
      checks: {},
    })
  })

  test('leave out rows in which nothing is written, and blanks around names', () => {
    const texts: LaunchTexts = {
      ...none,
      preLaunchCommands: writeRows(commandFields, [{ command: ' ' }, { command: 'make' }]),
      launchEnvVars: writeRows(variableFields, [
        { name: '', value: '' },
        { name: ' A ', value: ' kept ' },
      ]),
      allowedCommands: '\n npm test \n\n',
    }
    expect(changesOf(texts, all).changes).toMatchObject({
      preLaunchCommands: ['make'],
      launchEnvVars: { A: ' kept ' },
      allowedCommands: ['npm test'],
    })
    expect(commandPath(texts.preLaunchCommands, 1)).toBe('preLaunchCommands.0')
  })

  test('say what the service would not see: a name twice, and a limit that is no number', () => {
    const check = (name: string, seconds: string) => ({ name, command: 'x', seconds })
    const row = { model: '', effort: '', rights: '', flags: '' }
    const texts: LaunchTexts = {
      ...none,
      checks: writeRows(checkFields, [check('a', 'soon'), check('b', '5'), check('b', '')]),
      agents: writeRows(agentFields, [
        { ...row, agent: 'claude' },
        { ...row, agent: 'claude ', model: 'opus' },
      ]),
    }
    const { problems } = changesOf(texts, all)
    expect(problems).toEqual(
      new Map([
        ['agents.claude', 'this name stands twice'],
        ['checks.a.timeoutSeconds', 'give a whole number of seconds'],
        ['checks.b', 'this name stands twice'],
      ]),
    )
    expect(problemAt(problems, 'checks.a')).toBe('give a whole number of seconds')
    expect(problemAt(problems, 'checks.c')).toBeUndefined()
  })

  test('are compared in words', () => {
    const texts = textsOf(settings)
    const words = Object.fromEntries(all.map((part) => [part, describeSetting(part, texts[part])]))
    expect(words).toEqual({
      preCommand: 'nvm exec',
      preLaunchCommands: 'pnpm install\nfor f in *\ndo echo $f\ndone',
      launchEnvVars: 'NODE_ENV=test\nLONG=two\nlines',
      agents:
        'claude: rights all, model opus, effort high, flags --a b -c\ncodex: rights as where nothing is set',
      pushBranches: 'pushed to origin',
      allowedCommands: 'npm test\nmake lint',
      checks: 'test: npm test, 90 seconds at most\nlint: make lint',
    })
  })

  test('that are no rows, as a draft of another version may be, are none', () => {
    for (const text of ['', '{}', '[1, null]', 'half a sentence']) {
      const { changes } = changesOf({ ...none, checks: text, agents: text }, ['checks', 'agents'])
      expect(changes).toEqual({ checks: {}, agents: {} })
    }
  })
})
