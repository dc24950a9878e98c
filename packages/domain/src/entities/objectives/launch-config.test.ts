import { describe, expect, test } from 'vitest'
import { resolveConfig } from './launch-config.ts'

const objective = { assigned_agent: null, model: null, reasoning_effort: null }
const nothing = { pre_command: null, agent_settings: {} }
const settings = {
  pre_command: 'nvm use',
  agent_settings: { claude: { model: 'of project', reasoningEffort: 'low', flags: ['--fast'] } },
}

describe('the configuration of a launch', () => {
  test('is the agent’s own where nobody chose', () => {
    expect(resolveConfig({ agent: 'claude' }, objective, nothing)).toEqual({
      agent: { value: 'claude', source: 'request' },
      model: { value: null, source: 'default' },
      reasoningEffort: { value: null, source: 'default' },
      preCommand: { value: null, source: 'default' },
      flags: { value: [], source: 'default' },
    })
  })

  test('is the project’s for that agent before that', () => {
    expect(resolveConfig({ agent: 'claude' }, objective, settings)).toEqual({
      agent: { value: 'claude', source: 'request' },
      model: { value: 'of project', source: 'project' },
      reasoningEffort: { value: 'low', source: 'project' },
      preCommand: { value: 'nvm use', source: 'project' },
      flags: { value: ['--fast'], source: 'project' },
    })
    expect(resolveConfig({ agent: 'codex' }, objective, settings)).toMatchObject({
      model: { source: 'default' },
      flags: { value: [], source: 'default' },
    })
  })

  test('is the objective’s before that, for the agent that it was chosen for', () => {
    const own = { assigned_agent: 'claude', model: 'of objective', reasoning_effort: 'high' }
    expect(resolveConfig({ agent: 'claude' }, own, settings)).toMatchObject({
      model: { value: 'of objective', source: 'objective' },
      reasoningEffort: { value: 'high', source: 'objective' },
    })
    expect(resolveConfig({ agent: 'codex' }, own, settings)).toMatchObject({
      model: { value: null, source: 'default' },
      reasoningEffort: { value: null, source: 'default' },
    })
    expect(
      resolveConfig({ agent: 'codex' }, { ...own, assigned_agent: null }, nothing),
    ).toMatchObject({ model: { value: 'of objective', source: 'objective' } })
  })

  test('is the request’s before everything', () => {
    const own = { assigned_agent: 'claude', model: 'of objective', reasoning_effort: 'high' }
    const choice = { agent: 'claude', model: 'of request', reasoningEffort: 'medium' }
    expect(resolveConfig(choice, own, settings)).toMatchObject({
      model: { value: 'of request', source: 'request' },
      reasoningEffort: { value: 'medium', source: 'request' },
    })
  })
})
