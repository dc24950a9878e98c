import { restContracts } from '@svc/contracts/rest'
import { test } from '../testing/world.ts'
import { verifies } from '@svc/testing/verifies'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'

const settings = {
  preCommand: 'nvm exec',
  preLaunchCommands: ['pnpm install --store-dir {SVC_TMPDIR}'],
  launchEnvVars: { NODE_ENV: '{MISSION_ID}', API_KEY: 'hush-hush' },
  agents: {
    claude: {
      model: 'sonnet[1m]',
      rights: 'all' as const,
      flags: ['--fast', '-c', 'approval_policy=never', 'Bash(npm test:*)'],
    },
    codex: { model: 'o5' },
  },
  pushBranches: true,
  allowedCommands: ['npm test', 'make lint'],
  checks: { test: { command: 'npm test', timeoutSeconds: 90 } },
}

describe('the settings of a project', () => {
  test('are changed one at a time, and its slug stays', async ({ world }) => {
    const { alice } = world
    const project = await world.projectWith()
    const { id } = project
    const changed = await alice.call('updateProject', { id, name: 'Shop', useWorktrees: false })
    expect(changed.project).toEqual({
      ...project,
      name: 'Shop',
      useWorktrees: false,
      revision: 2,
    })
    const minutes = await alice.call('updateProject', { id, maxRuntimeMinutes: 90 })
    expect(minutes.project).toMatchObject({ maxRuntimeMinutes: 90, name: 'Shop', revision: 3 })
    const none = await alice.call('updateProject', { id, maxRuntimeMinutes: null })
    expect(none.project.maxRuntimeMinutes).toBeNull()
    await expect(
      alice.call('updateProject', { id, name: 'Late', expectedRevision: 2 }),
    ).rejects.toMatchObject({ code: 'revision_mismatch', details: { currentRevision: 4 } })
  })

  test('changed by 8 at once at one revision: one of them wins', async ({ world }) => {
    const { id } = await world.projectWith()
    const calls = Array.from({ length: 8 }, (_, index) =>
      world.alice.call('updateProject', { id, name: `n${index}`, expectedRevision: 1 }),
    )
    const results = await Promise.allSettled(calls)
    expect(results.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    expect((await world.alice.call('getProject', { id })).project.revision).toBe(2)
  })

  test('are changed by members and not by viewers', async ({ world }) => {
    const { id } = await world.projectWith()
    await world.bob.call('updateProject', { id, name: 'Shop' })
    await expect(world.vera.call('updateProject', { id, name: 'x' })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})

describe('the launch settings of a project', () => {
  test('are none at first, then what was set; what is not named stays', async ({ world }) => {
    const { alice } = world
    const { id } = await world.projectWith()
    const read = async () => (await alice.call('getLaunchSettings', { id })).launchSettings
    const none = { preCommand: null, preLaunchCommands: [], launchEnvVars: {}, agents: {} }
    expect(await read()).toEqual({
      ...none,
      pushBranches: false,
      allowedCommands: [],
      checks: {},
      revision: 1,
    })
    const set = await alice.call('updateLaunchSettings', { id, ...settings })
    expect(set.launchSettings).toEqual({ ...settings, revision: 2 })
    await alice.call('updateLaunchSettings', { id, preCommand: null, expectedRevision: 2 })
    expect(await read()).toEqual({ ...settings, preCommand: null, revision: 3 })
    await expect(
      alice.call('updateLaunchSettings', { id, agents: {}, expectedRevision: 2 }),
    ).rejects.toMatchObject({ code: 'revision_mismatch' })
  })

  test(
    verifies(
      ['launch.resolves-pre-command', 'launch.resolves-agent-flags', 'placeholder.not-at-claim'],
      'are what a launch takes its command and flags from, and a claim is told the others as they were written',
    ),
    async ({ world }) => {
      const { alice, project, mission } = await world.missionWith(['a'])
      await alice.call('updateLaunchSettings', { id: project.id, ...settings })
      const { executionRequest } = await alice.launch(mission.objectives[0], { agent: 'claude' })
      expect(executionRequest.config).toMatchObject({
        model: { value: 'sonnet[1m]', source: 'project' },
        preCommand: { value: 'nvm exec', source: 'project' },
        flags: {
          value: ['--fast', '-c', 'approval_policy=never', 'Bash(npm test:*)'],
          source: 'project',
        },
      })
      const runner = await world.connectedRunner(project, { agents: ['claude'] })
      const { request } = await runner.claim()
      expect(request?.launchSettings).toEqual({
        preCommand: 'nvm exec',
        preLaunchCommands: settings.preLaunchCommands,
        checks: settings.checks,
        launchEnvVars: settings.launchEnvVars,
        agentFlags: { claude: ['--fast', '-c', 'approval_policy=never', 'Bash(npm test:*)'] },
        pushBranches: true,
        allowedCommands: ['npm test', 'make lint'],
        agentRights: { claude: 'all' },
      })
    },
  )

  test('are in the audit trail and in the feed, the values of variables nowhere', async ({
    world,
  }) => {
    const { alice } = world
    const { id } = await world.projectWith()
    await alice.call('updateLaunchSettings', { id, ...settings })
    const launchEnvVars = { NODE_ENV: 'production' }
    const agents = { ...settings.agents, claude: { rights: 'read' as const } }
    await alice.call('updateLaunchSettings', { id, preCommand: null, launchEnvVars, agents })
    const { entries } = await alice.call('listAudit', { action: 'launch_settings.changed' })
    expect(entries[0]).toMatchObject({
      targetId: id,
      projectId: id,
      details: {
        before: { preCommand: 'nvm exec', agents: { claude: { rights: 'all' } } },
        after: { preCommand: null, agents: { claude: { rights: 'read' } } },
        variablesSet: ['NODE_ENV'],
        variablesRemoved: ['API_KEY'],
      },
    })
    const bound = await alice.withToken({ preset: 'full', projectIds: [id] })
    expect((await bound.call('listAudit', {})).entries).toEqual(entries.slice(0, 2))
    const { rows } = await sql`
      select data from entity_changes where entity_id = ${id} order by xid, seq`.execute(
      world.domain.db,
    )
    expect(rows.slice(1)).toEqual([{ data: { revision: 2 } }, { data: { revision: 3 } }])
    expect(JSON.stringify([entries, rows])).not.toContain('hush-hush')
  })

  test('are written by admins, and read by those who may claim', async ({ world }) => {
    const { id } = await world.projectWith()
    const set = { id, preCommand: 'x' }
    const less = { id, agents: { claude: { rights: 'read' as const } } }
    for (const person of [world.bob, world.vera]) {
      for (const change of [set, less]) {
        await expect(person.call('updateLaunchSettings', change)).rejects.toMatchObject({
          code: 'forbidden',
        })
      }
    }
    await expect(world.carla.call('updateLaunchSettings', set)).rejects.toMatchObject({
      code: 'not_found',
    })
    const runner = await world.bob.withPreset('runner')
    await runner.call('getLaunchSettings', { id })
    await expect(world.vera.call('getLaunchSettings', { id })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  test.each([
    ['a quote that is not closed', { preCommand: `nvm "exec` }],
    ['a variable of the runner', { launchEnvVars: { SVC_TMPDIR: '/x' } }],
    ['a variable of the loader', { launchEnvVars: { LD_PRELOAD: '/x' } }],
    ['a name that is none', { launchEnvVars: { 'A B': 'x' } }],
    ['more variables than 100', { launchEnvVars: manyVariables(101) }],
    ['more than 64 KiB of them', { launchEnvVars: { A: 'x'.repeat(65_536) } }],
    ['a flag of two lines', { agents: { claude: { flags: ['--a\nb'] } } }],
    ['more than 16 KiB of flags', { agents: { claude: { flags: manyFlags(9) } } }],
    ['rights that are none', { agents: { claude: { rights: 'root' } } }],
    ['an agent that is none', { agents: { 'no agent': {} } }],
    ['a right that allows anything', { allowedCommands: ['*'] }],
    ['a right that ends before its time', { allowedCommands: ['x), Bash(rm'] }],
    ['a command without words', { preLaunchCommands: [' '] }],
  ])('are refused with %s', (_what, body) => {
    const { success } = restContracts.updateLaunchSettings.body.safeParse(body)
    expect(success).toBe(false)
  })
})

function manyFlags(count: number): string[] {
  return Array.from({ length: count }, () => 'x'.repeat(2_000))
}

function manyVariables(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`V${index}`, 'x']))
}
