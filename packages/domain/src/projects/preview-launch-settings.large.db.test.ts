import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

const settings = {
  preCommand: 'nvm exec',
  preLaunchCommands: ['cat {SVC_CONTEXT_FILE}'],
  launchEnvVars: { API_KEY: 'hush-hush' },
  agents: { claude: { model: 'opus', rights: 'edit' as const, flags: ['--fast'] } },
  checks: { test: { command: 'npm test', timeoutSeconds: 90 } },
}

describe('the preview of launch settings', () => {
  test('is what a launch would be made with now and with others, and writes nothing', async ({
    world,
  }) => {
    const { alice, project, mission } = await world.missionWith(['a'])
    const { id } = project
    await alice.call('updateLaunchSettings', { id, ...settings })
    const wanted = {
      agents: { claude: { reasoningEffort: 'high', rights: 'all' as const } },
      allowedCommands: ['npm test'],
    }
    const ask = () => alice.call('previewLaunchSettings', { id, agent: 'claude', ...wanted })
    expect(await world.rowsWrittenBy(ask)).toEqual({ rows: [], refusal: undefined })
    const { before, after } = await ask()

    const launchedNow = async () => {
      const preview = { id: mission.objectives[0].id, agent: 'claude' }
      const { assignment } = await alice.call('previewLaunch', preview)
      const { executionRequest, launchSettings } = assignment
      return { config: executionRequest.config, launchSettings }
    }
    expect(before).toMatchObject(await launchedNow())
    expect(before.rights).toEqual({ value: 'edit', source: 'project' })
    await alice.call('updateLaunchSettings', { id, ...wanted })
    expect(after).toMatchObject(await launchedNow())
    expect(after.rights).toEqual({ value: 'all', source: 'project' })
  })

  test('says of an agent whether a runner has to trust what a launch with it uses', async ({
    world,
  }) => {
    const { id } = await world.projectWith()
    const needsTrust = async (given: object, agent = 'claude') => {
      const preview = await world.alice.call('previewLaunchSettings', { id, agent, ...given })
      expect(preview.before.needsTrust).toBe(false)
      return preview.after.needsTrust
    }
    const ofClaude = (own: object) => ({ agents: { claude: own } })
    expect(await needsTrust({})).toBe(false)
    expect(await needsTrust(ofClaude({ model: 'opus', rights: 'read' }))).toBe(false)
    expect(await needsTrust({ pushBranches: true })).toBe(true)
    for (const own of [{ rights: 'all' }, { flags: ['--fast'] }]) {
      expect(await needsTrust(ofClaude(own))).toBe(true)
      expect(await needsTrust(ofClaude(own), 'codex')).toBe(false)
      expect(await needsTrust(ofClaude(own), 'constructor')).toBe(false)
    }
    for (const more of ['preCommand', 'preLaunchCommands', 'launchEnvVars', 'checks'] as const) {
      expect(await needsTrust({ [more]: settings[more] })).toBe(true)
    }
  })

  test('is for whoever may claim, for it has the values of variables', async ({ world }) => {
    const { id } = await world.projectWith()
    const ask = { id, agent: 'x' }
    for (const person of [world.vera, await world.bob.withPreset('mission_lifecycle')]) {
      await expect(person.call('previewLaunchSettings', ask)).rejects.toMatchObject({
        code: 'forbidden',
      })
    }
    await expect(world.carla.call('previewLaunchSettings', ask)).rejects.toMatchObject({
      code: 'not_found',
    })
    await world.bob.call('previewLaunchSettings', ask)
  })
})
