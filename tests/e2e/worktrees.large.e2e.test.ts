import { verifies } from '@svc/testing/verifies'
import { expect } from 'vitest'
import { processesIn } from './support/processes.ts'
import { resourceKey } from './support/scene.ts'
import { test } from './support/test.ts'
import { until } from './support/until.ts'

test(
  verifies(
    'parallel.own-worktree',
    'two objectives of a mission that run at once on one machine have a worktree of its repository each',
  ),
  async ({ service }) => {
    const stays = 'Stay.\nscripted: hang-after-attach'
    await using scene = await service.scene({ repository: true, instructions: [stays, stays] })
    const { client, mission, repository } = scene
    await client.call('updateMission', { id: mission.id, allowParallelObjectives: true })
    await scene.machine()
    const { objectives } = await client.call('getMission', { id: mission.id })
    for (const { id } of objectives.slice(0, 2)) {
      const launch = { id, agent: 'scripted', resourceKey }
      const { executionRequest } = await until('the objective can be launched', () =>
        client.call('launchObjective', launch).catch(() => undefined),
      )
      await until('its agent has attached', async () => {
        const now = await client.call('getExecutionRequest', { id: executionRequest.id })
        return now.executionRequest.sessionId !== null
      })
    }

    const listed = repository.git('worktree', 'list', '--porcelain').split('\n\n')
    const worktrees = listed.map((text) => {
      const { path = '', branch = '' } =
        /^worktree (?<path>.+)[^]*^branch refs\/heads\/(?<branch>.+)$/m.exec(text)?.groups ?? {}
      return { branch, path, isWorkedIn: processesIn(path).length > 0 }
    })

    const own = `build-the-bridge-1-${objectives[1]?.displayId.split('.')[1]}`
    expect(worktrees).toEqual([
      { branch: 'main', path: repository.path, isWorkedIn: false },
      { branch: 'build-the-bridge-1', path: expect.any(String), isWorkedIn: true },
      { branch: own, path: expect.any(String), isWorkedIn: true },
    ])
  },
)
