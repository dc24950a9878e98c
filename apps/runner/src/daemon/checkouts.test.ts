import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { whyKept } from '../git/kept-worktree.ts'
import { readWorktreeFacts } from '../git/worktree-facts.ts'
import { listWorktrees } from '../git/worktrees.ts'
import { makeAssignment } from '../testing/assignment.ts'
import { openRunnerWorld, type RunnerWorld, testToken } from '../testing/runner-world.ts'
import { gitIn, temporaryFolder } from '../testing/temporary.ts'
import { branch, recordedIn, shareOneCheckout } from '../testing/shared-checkout.ts'

const seconds = 60_000
/** The person is on the mission's branch, with changes that are not committed. */
function occupy(world: RunnerWorld, file: string): void {
  gitIn(world.checkout, 'switch', '--quiet', '--create', branch)
  writeFileSync(join(world.checkout, file), 'a person works here')
}

describe('the checkout of a person', { timeout: seconds }, () => {
  test('is never touched: each mission works in a worktree of its own, at the same time', async () => {
    await using world = await openRunnerWorld('echo hi > hello.txt; sleep 60')
    const { checkout, home, service } = world
    writeFileSync(join(checkout, 'README.md'), 'half a thought')
    const before = gitIn(checkout, 'status', '--porcelain')
    const first = world.queue()
    world.queue({ projectId: first.project.id, title: 'Another' })
    await world.start()
    await service.called('reportLaunched', 2)
    for (const name of [branch, 'another-7']) {
      const hello = join(home.worktrees, 'web', 'web', name, 'hello.txt')
      await expect.poll(() => existsSync(hello), { timeout: 20_000 }).toBe(true)
    }
    expect(gitIn(checkout, 'branch', '--show-current')).toBe('main')
    expect(gitIn(checkout, 'status', '--porcelain')).toBe(before)
    expect(service.calls('reportReleased')).toEqual([])
  })

  test('that has the branch with uncommitted changes is waited for, and told of without its path', async () => {
    await using world = await openRunnerWorld('true')
    occupy(world, 'mine.txt')
    world.queue({ activeBranch: branch, branches: { mission: recordedIn(world.checkout) } })
    await (
      await world.start({ once: true })
    ).done
    const { reason, detail } = world.service.calls('reportReleased')[0]?.body ?? {}
    expect(reason).toBe('checkout_busy')
    expect(detail).toMatch(
      /^Branch add-a-greeting-7 is checked out in resource web on .+ mine.txt,/,
    )
    expect(detail).not.toContain(world.checkout)
    expect(readFileSync(join(world.checkout, 'mine.txt'), 'utf8')).toBe('a person works here')
  })

  test('is told of without a secret by the name of a file', async () => {
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

describe('parallel objectives of a mission', { timeout: seconds }, () => {
  test('work in two worktrees on two branches [parallel.sibling-untouched]', async () => {
    await using world = await openRunnerWorld('echo "$SVC_OBJECTIVE_ID" > mine.txt; sleep 60')
    const { home, service } = world
    const first = world.queue()
    await world.start()
    await service.called('reportLaunched')
    const { mission, project } = first
    const recorded = { activeBranch: branch, branches: { mission: recordedIn(world.checkout) } }
    world.queue({ missionId: mission.id, projectId: project.id, olderSiblings: 1, ...recorded })
    await service.called('reportLaunched', 2)
    const files = [branch, `${branch}-k7qd`].map((name) =>
      join(home.worktrees, 'web', 'web', name, 'mine.txt'),
    )
    await expect.poll(() => files.every((file) => existsSync(file)), { timeout: 20_000 }).toBe(true)
    const prepared = service.calls('reportLaunching').flatMap(({ body }) => body['prepared'] ?? [])
    expect(prepared).toMatchObject([
      { branch, checkout: 'worktree' },
      { branch: `${branch}-k7qd`, missionBranch: branch, checkout: 'worktree' },
    ])
  })

  shareOneCheckout('of a project without worktrees', { useWorktrees: false })
})

describe('a worktree that is in use', { timeout: seconds }, () => {
  test('is handed over by a delivered run of the same branch that stays too long', async () => {
    await using world = await openRunnerWorld('test -e first || { touch first; sleep 60; }')
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

describe('what a run leaves', { timeout: seconds }, () => {
  test('uncommitted, or committed elsewhere, is a warning with its exit', async () => {
    await using world = await openRunnerWorld(
      `git switch --quiet --create elsewhere
       git -c user.name=A -c user.email=a@example.com commit --quiet --allow-empty -m work
       echo half > half.txt`,
    )
    world.queue()
    await (
      await world.start({ once: true })
    ).done
    const { body } = await world.service.called('reportExited')
    expect(body['warnings']).toEqual([
      `1 commit is on branch elsewhere and not on ${branch}: git merge elsewhere on ${branch} brings them in.`,
      `Not committed on ${branch}: half.txt. Commit or discard that where the run worked.`,
    ])
  })

  test('is pushed where the project wants that, and a refusal is a warning', async () => {
    await using world = await openRunnerWorld(
      `echo hi > hello.txt; git add .
       git -c user.name=A -c user.email=a@example.com commit --quiet -m work`,
    )
    using origin = temporaryFolder()
    const { checkout, service } = world
    gitIn(origin.path, 'init', '--quiet', '--bare')
    gitIn(checkout, 'remote', 'add', 'origin', origin.path)
    gitIn(checkout, 'push', '--quiet', 'origin', 'main')
    const push = (title: string) => {
      const projectId = randomUUID()
      const wanted = { title, projectId, launchSettings: { pushBranches: true } }
      // a daemon that is up claims at once what is queued
      world.trust(makeAssignment(wanted))
      world.queue(wanted)
    }
    push('First')
    await world.start()
    const { body } = await service.called('reportExited')
    expect(body['warnings']).toBeUndefined()
    expect(gitIn(origin.path, 'log', '-1', '--format=%s', 'first-7')).toBe('work')

    const hook = join(origin.path, 'hooks', 'pre-receive')
    writeFileSync(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    push('Second')
    const second = await service.called('reportExited', 2)
    expect(second.body['warnings']).toEqual([
      expect.stringMatching(/^Branch second-7 could not be pushed: .*rejected/),
    ])
  })

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

  test('in its worktree goes once it is merged, and stays while it is not', async () => {
    await using world = await openRunnerWorld(
      `echo hi > hello.txt; git add .
       git -c user.name=A -c user.email=a@example.com commit --quiet -m work`,
    )
    const { checkout, worktree } = world
    world.queue()
    await (
      await world.start({ once: true })
    ).done
    await (await world.start({ once: true, pruneMs: 50 }))[Symbol.asyncDispose]()
    expect(existsSync(worktree)).toBe(true)

    // what is merged here is not lost, though origin does not have it yet
    gitIn(checkout, 'update-ref', 'refs/remotes/origin/main', 'main')
    gitIn(checkout, 'merge', '--quiet', branch)
    await world.start({ pruneMs: 50 })
    await expect.poll(() => existsSync(worktree), { timeout: 20_000 }).toBe(false)
    expect(gitIn(checkout, 'branch', '--list', branch)).toContain(branch)
  })
})
