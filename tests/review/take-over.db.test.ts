import { existsSync } from 'node:fs'
import { holdCheckout } from '@svc/runner/git/checkout-holders'
import { readProcess } from '@svc/process/process-identity'
import { describe, expect } from 'vitest'
import { branch, openScene, stateOf, test } from './scene.ts'
import { refused } from './refused.ts'

/** The holder that the supervisor of a run would write: this process stands for the supervisor. */
const holderOf = (missionId: string, folder: string) => ({
  requestId: '0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b05',
  generation: 1,
  missionId,
  objectiveId: missionId,
  createdAt: '2026-11-01T10:00:00.000Z',
  branch,
  runFolder: folder,
  supervisor: { ...readProcess(process.pid)! },
})

describe('the branch is checked out', () => {
  test('in a clean checkout, for which the worktree of the runner makes room', async ({
    place,
  }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    const { worktree } = await scene.work()
    const { code, stdout } = await svc('review', mission.displayId, '--checkout')
    expect(code).toBe(0)
    expect(stdout).toContain(`${web.path} is on ${branch}.`)
    expect(stdout).toContain(`Back: git -C ${web.path} switch main`)
    expect(web.git('symbolic-ref', '--short', 'HEAD')).toBe(branch)
    expect(existsSync(worktree)).toBe(false)
    const again = await svc('review', mission.displayId, '--checkout')
    expect(again.stdout).toContain('already')
  })

  test('never while a run is at work there', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    const { worktree } = await scene.work()
    holdCheckout(worktree, holderOf(mission.id, scene.folder))
    const before = stateOf(web)
    const busy = await svc('review', mission.displayId, '--checkout')
    expect(busy).toMatchObject(refused('checkout_busy', worktree))
    expect(stateOf(web)).toEqual(before)
  })
})

describe('the branch is merged', () => {
  test('into the base, which is switched to first, and once', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission, web } = scene
    const { headSha } = await scene.work()
    web.git('switch', '--quiet', '--create', 'own-idea')
    const { code, stdout } = await svc('review', mission.displayId, '--merge')
    expect(code).toBe(0)
    expect(stdout).toContain(
      `Switched ${web.path} from own-idea to main. Merged ${branch} into main`,
    )
    expect(web.git('rev-parse', 'main')).toBe(headSha)
    expect((await svc('review', mission.displayId)).stdout).toMatch(/state +merged/)
    const again = await svc('review', mission.displayId, '--merge')
    expect(again.stdout).toBe(`${branch} is in main already.\n`)
    await scene.alice.call('moveMission', { id: mission.id, statusId: 'complete' })
    const closed = await svc('review', mission.displayId, '--merge')
    expect(closed.stderr).toBe(`Clear up: svc branches remove ${mission.displayId}\n`)
  })
})

describe('a mission in review', () => {
  test('is not accepted before it is one', async ({ place }) => {
    using scene = await openScene(place)
    const { svc, mission } = scene
    expect(await svc('review', mission.displayId, '--accept')).toMatchObject(
      refused('not_in_review', `svc missions move ${mission.displayId} complete`),
    )
  })
})
