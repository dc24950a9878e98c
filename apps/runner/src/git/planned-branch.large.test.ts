import { rmSync } from 'node:fs'
import type { Prepared } from '@svc/contracts/assignment'
import { afterAll, describe, expect, test } from 'vitest'
import { makeAssignment } from '../testing/assignment.ts'
import {
  cloned,
  commit,
  missionBranch,
  ofMission,
  otherRunner,
  recordedIn,
  repository,
} from '../testing/prepared.ts'
import { gitIn } from '@svc/testing/temporary'
import {
  root,
  noNames,
  isNotGiven,
  merges,
  isFollowed,
  prepare,
  worked,
} from '../testing/worked.ts'
import { nameCheckout } from './named-checkout.ts'
import { planResumedBranch } from './planned-branch.ts'

afterAll(() => root[Symbol.dispose]())

describe('the base of a branch', () => {
  isNotGiven(noNames.slice(1))
})

describe("the mission's branch", () => {
  test('is used while nothing was committed on it, though the base holds all of it', async () => {
    using folder = repository()
    await prepare(folder.path)
    const recorded = recordedIn(folder.path)
    expect((await prepare(folder.path, ofMission(recorded))).branch).toBe(missionBranch)
  })

  isFollowed(merges.slice(1))

  test('is gone on with when more was committed on it than was merged', async () => {
    const { folder, at, recorded } = await worked()
    using _ = folder
    gitIn(folder.path, 'merge', '--quiet', missionBranch)
    const last = commit(at, 'second.txt')
    const { branch, baseSha } = await prepare(folder.path, ofMission(recorded))
    expect({ branch, baseSha }).toEqual({ branch: missionBranch, baseSha: last })
  })

  test('is reported to have commits of which the service has no record, as after an older backup', async () => {
    const { folder, at, recorded } = await worked()
    using _ = folder
    expect((await prepare(folder.path, ofMission(recorded))).warnings).toEqual([])
    commit(at, 'second.txt')
    commit(at, 'third.txt')
    const since = `is 2 commits after ${recorded.lastSha.slice(0, 12)}`
    const { warnings } = await prepare(folder.path, ofMission(recorded))
    expect(warnings).toEqual([expect.stringContaining(since)])
  })

  test('is reported to a run that goes on with an earlier one, too', async () => {
    const { folder, at, recorded } = await worked()
    using _ = folder
    const assignment = makeAssignment({ resourceKey: 'web', ...ofMission(recorded) })
    const { startSha } = recorded
    const prepared: Prepared = {
      workingDirectory: at,
      branch: missionBranch,
      missionBranch,
      startSha,
      baseSha: startSha,
      checkout: 'worktree',
      warnings: [],
      others: [],
    }
    const resumed = { ...assignment, resume: { externalSessionId: null, prepared } }
    const linked = nameCheckout(folder.path, assignment, 'laptop')
    const plan = () => planResumedBranch(linked, resumed, {})
    expect(await plan()).toMatchObject({ branch: missionBranch, isResumed: true, warnings: [] })
    commit(at, 'second.txt')
    const since = `is 1 commit after ${recorded.lastSha.slice(0, 12)}`
    expect((await plan())?.warnings).toEqual([expect.stringContaining(since)])
  })

  test('that was pushed is found by another machine', async () => {
    using origin = repository()
    gitIn(origin.path, 'config', 'receive.denyCurrentBranch', 'ignore')
    using one = cloned(origin.path)
    using two = cloned(origin.path)
    const { at } = await prepare(one.path)
    const lastSha = commit(at, 'first.txt')
    const ofOther = recordedIn(one.path, { runnerId: otherRunner, runnerLabel: 'box' })
    await expect(prepare(two.path, ofMission(ofOther))).rejects.toMatchObject({
      reason: 'branch_elsewhere',
      message: expect.stringContaining('push it to origin there'),
      next: { operation: 'pushBranch', params: { id: expect.any(String), resourceKey: 'web' } },
    })
    gitIn(one.path, 'push', '--quiet', 'origin', missionBranch)

    const { branch, baseSha, startSha } = await prepare(two.path, ofMission(ofOther))
    expect({ branch, baseSha, startSha }).toEqual({
      branch: missionBranch,
      baseSha: lastSha,
      startSha: ofOther.startSha,
    })
  })

  test('that went another way at origin is used as it is here, with a warning', async () => {
    using origin = repository()
    using one = cloned(origin.path)
    using two = cloned(origin.path)
    const { at } = await prepare(one.path)
    commit(at, 'first.txt')
    gitIn(one.path, 'push', '--quiet', 'origin', missionBranch)
    gitIn(two.path, 'fetch', '--quiet')
    gitIn(two.path, 'switch', '--quiet', missionBranch)
    commit(two.path, 'theirs.txt')
    gitIn(two.path, 'push', '--quiet', 'origin', missionBranch)
    const mine = commit(at, 'mine.txt')

    const { baseSha, warnings } = await prepare(one.path, ofMission(recordedIn(one.path)))
    expect(baseSha).toBe(mine)
    expect(warnings).toEqual([expect.stringContaining('gone apart')])
  })

  test('is waited for while origin, where it may be, cannot be reached', async () => {
    using origin = repository()
    using clone = cloned(origin.path)
    const { folder, recorded } = await worked()
    using _ = folder
    rmSync(origin.path, { recursive: true })
    const ofOther = { ...recorded, runnerId: otherRunner }
    await expect(prepare(clone.path, ofMission(ofOther))).rejects.toMatchObject({
      reason: 'network',
    })
  })
})

describe("an objective's own branch", () => {
  test('of a delivered sibling is named until it is merged', async () => {
    const { folder, recorded } = await worked()
    using _ = folder
    const own = `${missionBranch}-m3xp`
    gitIn(folder.path, 'switch', '--quiet', '--create', own, missionBranch)
    const lastSha = commit(folder.path, 'own.txt')
    gitIn(folder.path, 'switch', '--quiet', 'main')
    const delivered = [{ displayId: 'web:7.m3xp', branch: own, lastSha }]
    const wanted = ofMission(recorded, { delivered })

    expect((await prepare(folder.path, wanted)).warnings).toEqual([
      `Branch ${own} of web:7.m3xp, which was delivered, is not in this branch: merge it if its work is needed.`,
    ])
    gitIn(folder.path, 'merge', '--quiet', '--squash', own)
    gitIn(folder.path, 'commit', '--quiet', '-m', 'Squashed')
    expect((await prepare(folder.path, wanted)).warnings).toEqual([])
  })
})
