import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { whyKept } from '../git/kept-worktree.ts'
import { readWorktreeFacts } from '../git/worktree-facts.ts'
import { listWorktrees } from '../git/worktrees.ts'
import { occupy } from '../testing/occupied.ts'
import { openRunnerWorld, testToken } from '../testing/runner-world.ts'
import { recordedIn, shareOneCheckout, branch } from '../testing/shared-checkout.ts'
import { gitIn } from '@svc/testing/temporary'

describe('parallel objectives of a mission', () => {
  shareOneCheckout('of a mission without worktrees', {
    useWorktrees: true,
    missionUsesWorktrees: false,
  })
})

describe('a worktree that is in use', () => {
  test('is taken at once from an older generation of the same objective', async () => {
    await using world = await openRunnerWorld('test -e first || { touch first; sleep 600; }')
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

  test('is handed over by a delivered run of the same branch that stays too long', async () => {
    await using world = await openRunnerWorld('test -e first || { touch first; sleep 600; }')
    const { service } = world
    Object.assign(service.state, { attached: true, outcome: 'delivered' })
    const first = world.queue()
    const daemon = await world.start({
      timing: { interruptSeconds: 0.3, terminateSeconds: 0.3, handOverSeconds: 0.5 },
    })
    await service.called('reportLaunched')
    world.queue({
      missionId: first.mission.id,
      projectId: first.project.id,
      activeBranch: 'add-a-greeting-7',
      branches: { mission: recordedIn(world.checkout) },
    })
    const { body } = await service.called('reportExited')
    expect(body).toMatchObject({ cause: 'handed_over', signal: 'SIGINT' })
    const second = await service.called('reportExited', 2)
    expect(second.body).toMatchObject({ cause: 'agent', exitCode: 0 })
    daemon.drain()
    await daemon.done
  })
})

describe('the checkout of a person', () => {
  test('is reported without a secret in the name of a file', async () => {
    await using world = await openRunnerWorld('true')
    occupy(world, `${testToken}.txt`)
    world.queue({ activeBranch: branch, branches: { mission: recordedIn(world.checkout) } })
    await (
      await world.start({ once: true })
    ).done
    const { detail } = world.service.calls('reportReleased')[0]?.body ?? {}
    expect(detail).toContain('[masked]')
    expect(detail).not.toContain(testToken)
  })

  test('is worth another try once it is clean', async () => {
    await using world = await openRunnerWorld('true')
    occupy(world, 'mine.txt')
    world.queue({ activeBranch: branch, branches: { mission: recordedIn(world.checkout) } })
    await world.start()
    await world.service.called('reportReleased')
    await world.reached('cleaned')
    const changed = () =>
      world.service.calls('claimExecutionRequest').map(({ body }) => body['changed'])
    expect(changed().filter(Boolean)).toEqual([])
    rmSync(join(world.checkout, 'mine.txt'))
    while (!changed().some(Boolean)) await new Promise((resolve) => setTimeout(resolve, 50))
    expect(changed().find(Boolean)).toEqual(['web'])
  })
})

describe('what a run leaves', () => {
  test('in a worktree of which no runner knows what it is for stays until a run goes on in it', async () => {
    await using world = await openRunnerWorld('true')
    const { checkout, worktree } = world
    const recorded = recordedIn(checkout)
    gitIn(checkout, 'worktree', 'add', '--quiet', '-b', branch, worktree)
    const kept = async () => {
      const one = (await listWorktrees(checkout)).find(({ path }) => path === worktree)
      return one && (await whyKept(one, Date.now()))
    }
    const because = 'no runner knows what it is for'
    expect(await kept()).toEqual({ because, needsHand: true })
    const { mission } = world.queue({ activeBranch: branch, branches: { mission: recorded } })
    await (
      await world.start({ once: true })
    ).done
    const { startSha } = recorded
    const facts = { mission: mission.displayId, startSha, baseBranch: 'main' }
    expect(readWorktreeFacts(worktree)).toEqual(facts)
    expect(await kept()).toEqual({
      because: 'it goes once it was idle for 14 days',
      needsHand: false,
    })
  })
})
