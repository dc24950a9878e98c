import { writeFileSync } from 'node:fs'
import { launchSettingsOf } from '@svc/contracts/launch-settings'
import type { Assignment } from '@svc/contracts/assignment'
import { commandOf } from '@svc/contracts/next-step'
import type { Rights } from '@svc/contracts/rights'
import { describe, expect, test } from 'vitest'
import { type Home, openHome } from '../files/home.ts'
import { digestOf, revokeTrust, trustSettings } from '../files/trust-file.ts'
import { LaunchFailure } from '../launch-failure.ts'
import { makeAssignment } from '../testing/assignment.ts'
import { temporaryFolder } from '@svc/testing/temporary'
import { refuseUntrusted } from './trust.ts'

const service = 'http://127.0.0.1:4600'
const launchSettings = {
  preCommand: 'nvm exec',
  preLaunchCommands: ['pnpm install'],
  launchEnvVars: { NODE_ENV: 'test', API_KEY: 'hush-hush' },
  agentFlags: { shell: ['--fast'], codex: ['--slow'] },
  pushBranches: false,
}
const project = { projectId: '0190a000-0000-7000-8000-000000000001' }
const assignment = makeAssignment({ ...project, launchSettings })

function openTrusting(settings?: Assignment['launchSettings']) {
  const folder = temporaryFolder()
  const home = openHome(folder.path)
  if (settings) trustSettings(home, { service, ...project, projectSlug: 'web', settings })
  return { home, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

function refusal(home: Home, of: Assignment, ownHome = false): LaunchFailure | undefined {
  const device = { fingerprint: 'f'.repeat(8), label: 'laptop', platform: 'linux', arch: 'x64' }
  try {
    const serviceUrl = `${service}/`
    refuseUntrusted({ assignment: of, device, home: home.folder, ownHome, serviceUrl })
    return undefined
  } catch (error) {
    if (error instanceof LaunchFailure) return error
    throw error
  }
}

describe('the launch settings of a project', () => {
  test('start nothing on a runner that was not told to trust them', () => {
    using trusting = openTrusting()
    expect(refusal(trusting.home, assignment)).toMatchObject({
      code: 'launch_config_untrusted',
      message: expect.stringContaining('laptop does not trust the launch settings of project web'),
      next: { operation: 'trustLaunchSettings', params: { project: 'web' } },
    })
  })

  test('are trusted by a command that names the folder of a runner which svc does not find by itself', () => {
    using trusting = openTrusting()
    const { next } = refusal(trusting.home, assignment, true) ?? {}
    expect(next && commandOf(next)).toBe(
      'svc runner trust web --runner-home <folder of that runner>',
    )
  })

  test('need no trust where a run uses none of them', () => {
    using trusting = openTrusting()
    const agentFlags = { codex: ['--slow'] }
    const of = makeAssignment({ ...project, launchSettings: { agentFlags } })
    expect(refusal(trusting.home, of)).toBeUndefined()
  })

  test('need trust where they only let an agent run a command', () => {
    using trusting = openTrusting()
    const of = makeAssignment({ ...project, launchSettings: { allowedCommands: ['npm test'] } })
    expect(refusal(trusting.home, of)?.code).toBe('launch_config_untrusted')
  })

  test('are trusted as they were shown', () => {
    using trusting = openTrusting(launchSettings)
    expect(refusal(trusting.home, assignment)).toBeUndefined()
    revokeTrust(trusting.home, { service, ...project })
    expect(refusal(trusting.home, assignment)).toBeDefined()
  })

  test.each([
    ['the command in front', { preCommand: 'nvm  exec' }],
    ['a command before', { preLaunchCommands: ['pnpm install '] }],
    ['the order of commands', { preLaunchCommands: ['a', 'pnpm install'] }],
    ['the name of a variable', { launchEnvVars: { NODE_ENW: 'test', API_KEY: 'hush-hush' } }],
    ['the value of a variable', { launchEnvVars: { NODE_ENV: 'test', API_KEY: 'hush-husH' } }],
    ['a flag', { agentFlags: { ...launchSettings.agentFlags, shell: ['--Fast'] } }],
    ["another agent's flag", { agentFlags: { ...launchSettings.agentFlags, codex: ['--x'] } }],
    ['what is pushed', { pushBranches: true }],
    ['what agents may run', { allowedCommands: ['npm test'] }],
    ['what an agent may do', { agentRights: { shell: 'all' as const } }],
    ['what an agent may do no more', { agentRights: { shell: 'read' as const } }],
  ])('are refused once one character is another: %s', (_, change) => {
    using trusting = openTrusting(launchSettings)
    const changed = { ...launchSettings, ...change }
    const of = makeAssignment({ ...project, launchSettings: changed })
    expect(refusal(trusting.home, of)).toMatchObject({
      code: 'launch_config_untrusted',
      next: { operation: 'trustLaunchSettings' },
    })
  })

  test('need trust where they only give an agent more rights, and none where they give it less', () => {
    using trusting = openTrusting()
    const giving = (agentRights: Record<string, Rights>) =>
      refusal(trusting.home, makeAssignment({ ...project, launchSettings: { agentRights } }))
    expect(giving({ shell: 'all' })?.code).toBe('launch_config_untrusted')
    expect(giving({ shell: 'read' })).toBeUndefined()
    expect(giving({ shell: 'work', codex: 'all' })).toBeUndefined()
  })

  test('are refused once they give an agent more than was trusted, though that is what agents usually have', () => {
    const none = { ...makeAssignment(project).launchSettings }
    using trusting = openTrusting({ ...none, agentRights: { shell: 'read' } })
    const giving = (agentRights?: Record<string, Rights>) =>
      refusal(
        trusting.home,
        makeAssignment({ ...project, launchSettings: agentRights ? { agentRights } : {} }),
      )
    expect(giving({ shell: 'read' })).toBeUndefined()
    expect(giving({ shell: 'edit' })?.code).toBe('launch_config_untrusted')
    expect(giving()).toMatchObject({
      code: 'launch_config_untrusted',
      next: { operation: 'trustLaunchSettings' },
    })
  })

  test.each([{ preCommand: 'sudo' }, { flags: ['--slow'] }])(
    'do not cover what an older launch took of others: %j',
    (frozen) => {
      using trusting = openTrusting(launchSettings)
      const of = makeAssignment({ ...project, launchSettings, frozen })
      expect(refusal(trusting.home, of)?.message).toContain('launch the objective again')
    },
  )

  test('are not trusted for another service or another project', () => {
    using trusting = openTrusting(launchSettings)
    const other = makeAssignment({ launchSettings })
    expect(refusal(trusting.home, other)).toBeDefined()
    const elsewhere = { service: 'http://127.0.0.1:4601', ...project, projectSlug: 'web' }
    revokeTrust(trusting.home, { service, ...project })
    trustSettings(trusting.home, { ...elsewhere, settings: launchSettings })
    expect(refusal(trusting.home, assignment)).toBeDefined()
  })
})

describe('the file of what is trusted', () => {
  test('stays good for settings that allow no commands', () => {
    // as it was written down before there were any
    const digest = '35baa266e4aa9a1476fb74c002088b68f429ae378b708e2b652327604d43a04f'
    expect(digestOf(launchSettings)).toBe(digest)
    const stored = { ...launchSettings, agents: {}, allowedCommands: [], checks: {} }
    expect(launchSettingsOf(stored)).not.toHaveProperty('allowedCommands')
    expect(launchSettingsOf(stored)).not.toHaveProperty('agentRights')
    expect(launchSettingsOf(stored)).not.toHaveProperty('checks')
  })

  test('may be shipped with the digest alone', () => {
    using trusting = openTrusting()
    const { agentFlags, ...others } = launchSettings
    const inOtherOrder = { agentFlags, ...others }
    const entry = { service, ...project, projectSlug: 'web', digest: digestOf(inOtherOrder) }
    writeFileSync(trusting.home.trustFile, JSON.stringify([entry]))
    expect(refusal(trusting.home, assignment)).toBeUndefined()
  })

  test('trusts nothing once it cannot be read', () => {
    using trusting = openTrusting(launchSettings)
    writeFileSync(trusting.home.trustFile, '{')
    expect(refusal(trusting.home, assignment)).toMatchObject({
      code: 'launch_config_untrusted',
      message: expect.stringContaining('repair or remove it'),
    })
  })
})
