import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { expect } from 'vitest'

const text = 'Write {MISSION_ID} into {SVC_TMPDIR}.'

test(
  verifies(
    ['placeholder.not-at-claim', 'placeholder.not-at-attach'],
    'an instruction that reads like placeholders is told as it was written, by claim and by attach',
  ),
  async ({ world }) => {
    const { mission, project } = await world.missionWith([text])
    const [objective] = mission.objectives
    const preLaunchCommands = ['echo {SVC_OBJECTIVE_ID}']
    await world.alice.call('updateLaunchSettings', { id: project.id, preLaunchCommands })
    const { executionRequest } = await world.alice.launch(objective, { agent: 'claude' })
    const runner = await world.connectedRunner(project, { agents: ['claude'] })
    const { request } = await runner.claim()
    expect(request?.executionRequest.id).toBe(executionRequest.id)
    expect(request?.launchSettings.preLaunchCommands).toEqual(preLaunchCommands)
    expect(request?.objective.instruction).toBe(text)
    await world.alice.call('cancelExecutionRequest', { id: executionRequest.id })

    const other = await world.missionWith([text])
    const { agent } = await world.startedRun(other.mission.objectives[0])
    const attached = await agent.attach()
    expect(attached.currentObjective?.instruction).toBe(text)
    expect(JSON.stringify(attached)).toContain(text)
  },
)
