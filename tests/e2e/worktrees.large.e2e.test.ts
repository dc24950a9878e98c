import { verifies } from '@svc/testing/verifies'
import { expect } from 'vitest'
import { processesIn } from './support/processes.ts'
import { resourceKey } from './support/scene.ts'
import { test } from './support/test.ts'

test(
  verifies(
    'parallel.own-worktree',
    'two objectives of a mission that run at once on one machine have a worktree of its repository each',
  ),
  async ({ service }) => {
    const stays = 'Stay.\nscripted: hang-after-attach'
    const setUp = { repository: true, instructions: [stays, stays], parallel: true }
    await using scene = await service.scene(setUp)
    const { objectives, repository } = scene
    await scene.machine()
    for (const objective of objectives) {
      await scene.launch('scripted', resourceKey, objective)
      await scene.untilRequest('attached', ({ sessionId }) => sessionId !== null)
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
