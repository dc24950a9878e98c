import { describe, expect, test } from 'vitest'
import { agentChoices, dryRunOf, firstAgent, firstChoice, forecastOf, requestOf } from './choice.ts'

const nothing = { assigned_agent: null, resource_key: null }

describe('the agent that a launch begins with', () => {
  test.each([
    { which: 'the one that is asked for', wanted: 'codex', assigned: 'claude', agent: 'codex' },
    { which: 'that of the objective', assigned: 'claude', last: 'codex', agent: 'claude' },
    { which: 'that of the last run', last: 'codex', agent: 'codex' },
    { which: 'the only one that is offered', offered: ['claude'], agent: 'claude' },
    { which: 'one that somebody offers', assigned: 'gone', last: 'codex', agent: 'codex' },
    { which: 'that of the objective, offered or not', assigned: 'gone', agent: 'gone' },
    { which: 'none where a step does not know it', wanted: '<key>', agent: '' },
  ])('is $which', ({ wanted, assigned = null, last, offered = ['claude', 'codex'], agent }) => {
    const objective = { ...nothing, assigned_agent: assigned }
    const lastRun = last === undefined ? undefined : { agent: last }
    expect(firstChoice(objective, lastRun, { agent: wanted }, offered).agent).toBe(agent)
  })
})

test('what is left open is not sent, so that the objective and the project say it', () => {
  const choice = firstChoice(nothing, undefined, { agent: 'claude' }, [])
  expect(requestOf('o', choice)).toEqual({ id: 'o', agent: 'claude' })
  const all = {
    ...choice,
    model: ' opus ',
    effort: 'high',
    resource: 'web',
    fromBase: true,
    runner: 'lap',
  }
  expect(requestOf('o', all)).toEqual({
    id: 'o',
    agent: 'claude',
    model: 'opus',
    reasoningEffort: 'high',
    resourceKey: 'web',
    fromBase: true,
    runner: 'lap',
  })
})

test('a forecast is asked for the same, once its agent can be one', () => {
  const choice = { ...firstChoice(nothing, undefined, {}, ['claude']), fromBase: true }
  expect(forecastOf('o', choice)).toEqual({ id: 'o', agent: 'claude', fromBase: 'true' })
  expect(forecastOf('o', { ...choice, agent: 'Not yet' })).toBeUndefined()
})

test('the command for a terminal launches the same, and a shell takes each part as it is', () => {
  const choice = {
    ...firstChoice(nothing, undefined, { agent: 'claude' }, []),
    model: "it's $(me)",
    fromBase: true,
  }
  expect(dryRunOf('web:1.aaaa', choice)).toBe(
    `svc launch web:1.aaaa --dry-run --agent claude --model 'it'\\''s $(me)' --from-base`,
  )
})

describe('the agent that an objective is queued with', () => {
  const runner = { id: '1', label: 'box', state: 'connected' } as const
  const claude = { key: 'claude', runners: [runner] }
  const codex = { key: 'codex', runners: [runner] }
  const gone = { key: 'gone', runners: [] }

  test.each([
    { which: 'its own', own: 'codex', known: [claude], agent: 'codex' },
    { which: 'none, where it inherits one', inherited: 'codex', known: [claude], agent: '' },
    { which: 'the only one that is offered', known: [claude, gone], agent: 'claude' },
    { which: 'none, where there are several', known: [claude, codex], agent: '' },
    { which: 'none, where nobody offers one', known: [gone], agent: '' },
  ])('is $which', ({ own = '', inherited, known, agent }) => {
    expect(firstAgent(own, inherited, known)).toBe(agent)
  })

  test('is chosen of those that are known, and says where no runner has it', () => {
    expect(agentChoices([claude, gone], 'mine').map(({ text }) => text)).toEqual([
      'claude',
      'gone (no runner)',
      'mine (no runner)',
    ])
  })
})
