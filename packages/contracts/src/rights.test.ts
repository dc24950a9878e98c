import { describe, expect, test } from 'vitest'
import { addsNothing, launchSettingsOf, raisedAgents, rightsOf } from './launch-settings.ts'
import { Rights, covers, defaultRights, lowerRights, rightsInWords } from './rights.ts'

const stored = {
  preCommand: null,
  preLaunchCommands: [],
  launchEnvVars: {},
  agents: {},
  pushBranches: false,
  allowedCommands: [],
  checks: {},
}
const given = (agents: Record<string, { rights?: Rights }>) =>
  launchSettingsOf({ ...stored, agents })

describe('the rights of agents', () => {
  test('each include those before them', () => {
    expect(Rights.options).toEqual(['read', 'edit', 'work', 'all'])
    expect(Rights.options.filter((one) => covers('edit', one))).toEqual(['read', 'edit'])
    expect([lowerRights('all', 'read'), lowerRights('edit', 'work')]).toEqual(['read', 'edit'])
    expect(new Set(Object.values(rightsInWords))).toHaveLength(4)
  })

  test('are to work where nothing is said, and never all by themselves', () => {
    expect(defaultRights).toBe('work')
    expect(rightsOf(given({}), 'claude')).toBe('work')
    // what every object has is no agent of the project
    expect(rightsOf(given({ claude: { rights: 'all' } }), 'constructor')).toBe('work')
  })

  test('stand in what a runner trusts where they are others, and nothing does where they are not', () => {
    const agents = { claude: { rights: 'all' }, codex: { rights: 'work' }, own: {} } as const
    expect(given(agents).agentRights).toEqual({ claude: 'all' })
    expect(given({ codex: { rights: 'work' } })).toEqual(given({}))
    expect(given({})).not.toHaveProperty('agentRights')
  })

  test('add something to a launch where they are more than usual', () => {
    expect(addsNothing(given({ claude: { rights: 'all' } }))).toBe(false)
    expect(addsNothing(given({ claude: { rights: 'read' }, codex: { rights: 'edit' } }))).toBe(true)
  })

  test('are raised where more is given than before, by a word or by leaving it out', () => {
    const before = given({ claude: { rights: 'read' }, codex: { rights: 'all' } })
    expect(raisedAgents(given({}), before)).toEqual(['claude'])
    expect(raisedAgents(before, given({}))).toEqual(['codex'])
    expect(raisedAgents(before, before)).toEqual([])
  })
})
