import { describe, expect, test } from 'vitest'
import { openRunnerWorld } from '../testing/runner-world.ts'
import { recordedIn, shareOneCheckout } from '../testing/shared-checkout.ts'

const seconds = 60_000

describe('parallel objectives of a mission', { timeout: seconds }, () => {
  shareOneCheckout('of a mission without worktrees', {
    useWorktrees: true,
    missionUsesWorktrees: false,
  })
})

describe('a worktree that is in use', { timeout: seconds }, () => {
  test('is taken at once from an older generation of the same objective', async () => {
    await using world = await openRunnerWorld('test -e first || { touch first; sleep 60; }')
    const { service } = world
    const first = world.queue()
    const daemon = await world.start()
    await service.called('reportLaunched')
    world.queue({
      missionId: first.mission.id,
      projectId: first.project.id,
      objectiveId: first.objective.id,
      activeBranch: 'add-a-greeting-7',
      branches: { mission: recordedIn(world.checkout) },
    })
    const { body } = await service.called('reportExited')
    expect(body).toMatchObject({ cause: 'handed_over' })
    await service.called('reportExited', 2)
    daemon.drain()
    await daemon.done
  })
})
