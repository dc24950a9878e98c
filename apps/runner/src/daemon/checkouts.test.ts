import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeAssignment } from '../testing/assignment.ts'
import { occupy } from '../testing/occupied.ts'
import { openRunnerWorld } from '../testing/runner-world.ts'
import { branch, recordedIn, shareOneCheckout } from '../testing/shared-checkout.ts'
import { gitIn, temporaryFolder } from '@svc/testing/temporary'

describe('the checkout of a person', () => {
  test(
    'is never touched: each mission works in a worktree of its own, at the same time',
    { tags: 'large' },
    async () => {
      await using world = await openRunnerWorld('echo hi > hello.txt; sleep 600')
      const { checkout, home, service } = world
      writeFileSync(join(checkout, 'README.md'), 'half a thought')
      const before = gitIn(checkout, 'status', '--porcelain')
      const first = world.queue()
      world.queue({ projectId: first.project.id, title: 'Another' })
      await world.start()
      await service.called('reportLaunched', 2)
      for (const name of [branch, 'another-7']) {
        const hello = join(home.worktrees, 'web', 'web', name, 'hello.txt')
        await expect.poll(() => existsSync(hello)).toBe(true)
      }
      expect(gitIn(checkout, 'branch', '--show-current')).toBe('main')
      expect(gitIn(checkout, 'status', '--porcelain')).toBe(before)
      expect(service.calls('reportReleased')).toEqual([])
    },
  )

  test(
    'that has the branch with uncommitted changes is waited for, and reported without its path',
    { tags: 'large' },
    async () => {
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
    },
  )
})

describe('parallel objectives of a mission', () => {
  test('work in two worktrees on two branches [parallel.sibling-untouched] [parallel.own-worktree] [parallel.own-branch] [objective.branch-name]', async () => {
    await using world = await openRunnerWorld('echo "$SVC_OBJECTIVE_ID" > mine.txt; sleep 600')
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
    await expect.poll(() => files.every((file) => existsSync(file))).toBe(true)
    const prepared = service.calls('reportLaunching').flatMap(({ body }) => body['prepared'] ?? [])
    expect(prepared).toMatchObject([
      { branch, checkout: 'worktree' },
      { branch: `${branch}-k7qd`, missionBranch: branch, checkout: 'worktree' },
    ])
  })

  shareOneCheckout('of a project without worktrees', { useWorktrees: false })
})

describe('what a run leaves', () => {
  test(
    'uncommitted, or committed elsewhere, is a warning with its exit',
    { tags: 'large' },
    async () => {
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
    },
  )

  test(
    'is pushed where the project wants that, and a refusal is a warning',
    { tags: 'large' },
    async () => {
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
    },
  )

  test(
    'in its worktree goes once it is merged, and stays while it is not',
    { tags: 'large' },
    async () => {
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
      await expect.poll(() => existsSync(worktree)).toBe(false)
      expect(gitIn(checkout, 'branch', '--list', branch)).toContain(branch)
    },
  )
})
