import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

const settings = {
  preCommand: 'nvm exec',
  preLaunchCommands: ['cat {SVC_CONTEXT_FILE}'],
  launchEnvVars: { API_KEY: 'hush-hush' },
  agents: { claude: { model: 'opus', flags: ['--fast'] } },
}

describe('the preview of a launch', () => {
  test('is what a claim is told after it, and writes nothing', async ({ world }) => {
    const { alice, project, mission } = await world.missionWith(['a'])
    await alice.call('updateLaunchSettings', { id: project.id, ...settings })
    const runner = await world.connectedRunner(project, { agents: ['claude'] })
    const [objective] = mission.objectives
    const preview = () => alice.call('previewLaunch', { id: objective.displayId, agent: 'claude' })
    expect(await world.rowsWrittenBy(preview)).toEqual({ rows: [], refusal: undefined })
    const { assignment } = await preview()
    expect(assignment.objective.state).toBe('draft')
    expect(assignment.executionRequest).toMatchObject({
      id: '00000000-0000-0000-0000-000000000000',
      status: 'queued',
    })

    const { executionRequest } = await alice.launch(objective, { agent: 'claude' })
    const { request } = await runner.claim()
    expect(assignment.executionRequest.config).toEqual(executionRequest.config)
    expect({ ...assignment, executionRequest: null, objective: null }).toEqual({
      ...request,
      executionRequest: null,
      objective: null,
      mission: assignment.mission,
    })
  })

  test('counts no waiting request of the same objective as a sibling', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    await alice.launch(objective, { agent: 'nobody-has-it' })
    const preview = await alice.call('previewLaunch', { id: objective.id, agent: 'claude' })
    expect(preview.assignment.siblings).toEqual([])
  })

  test('is refused as the launch would be', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'])
    await alice.launch(mission.objectives[0])
    const { id } = mission.objectives[1]
    await expect(alice.call('previewLaunch', { id, agent: 'claude' })).rejects.toMatchObject({
      code: 'mission_busy',
    })
  })

  test('is for whoever may claim, for it has the values of variables', async ({ world }) => {
    const { mission } = await world.missionWith(['a'])
    const wanted = { id: mission.objectives[0].id, agent: 'x' }
    for (const person of [world.vera, await world.bob.withPreset('mission_lifecycle')]) {
      await expect(person.call('previewLaunch', wanted)).rejects.toMatchObject({
        code: 'forbidden',
      })
    }
    await world.bob.call('previewLaunch', wanted)
  })
})
