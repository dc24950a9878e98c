import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  cloned,
  commit,
  missionBranch,
  ofMission,
  otherRunner,
  recordedIn,
  repository,
} from '../testing/prepared.ts'
import { gitIn, temporaryFolder } from '@svc/testing/temporary'
import {
  root,
  noNames,
  isNotGiven,
  merges,
  isFollowed,
  prepare,
  worked,
} from '../testing/worked.ts'
import { currentBranch } from './checkout.ts'

afterAll(() => root[Symbol.dispose]())

describe('the base of a branch', () => {
  test('without a commit is refused in one sentence', async () => {
    using folder = temporaryFolder()
    gitIn(folder.path, 'init', '--quiet', '--initial-branch=main')
    await expect(prepare(folder.path)).rejects.toMatchObject({ code: 'bad_working_directory' })
  })

  test(
    'of a repository without main starts from the branch of its resource',
    { tags: 'large' },
    async () => {
      using folder = repository()
      gitIn(folder.path, 'branch', '--move', 'main', 'master')
      await expect(prepare(folder.path)).rejects.toMatchObject({
        code: 'bad_working_directory',
        next: { operation: 'linkProjectResource', params: {} },
      })
      const { baseSha } = await prepare(folder.path, { defaultBranch: 'master' })
      expect(baseSha).toBe(gitIn(folder.path, 'rev-parse', 'master'))
    },
  )

  isNotGiven(noNames.slice(0, 1))

  test('takes its base from origin when there is one', { tags: 'large' }, async () => {
    using origin = repository()
    using clone = cloned(origin.path)
    const head = commit(origin.path, 'new.txt')
    expect((await prepare(clone.path)).baseSha).toBe(head)
  })

  test('is refused in one sentence where Git is too old', async () => {
    using folder = repository()
    using bin = temporaryFolder()
    const path = process.env['PATH'] ?? ''
    const script = `#!/bin/sh\nfor word; do [ "$word" = version ] && echo 'git version 2.37.9' && exit; done\nPATH='${path}' exec git "$@"\n`
    writeFileSync(join(bin.path, 'git'), script)
    chmodSync(join(bin.path, 'git'), 0o755)
    process.env['PATH'] = `${bin.path}:${path}`
    try {
      await expect(prepare(folder.path)).rejects.toMatchObject({
        code: 'bad_working_directory',
        message:
          'The runner has git version 2.37.9, and Git 2.38 or newer is needed: update Git there and launch again.',
      })
    } finally {
      process.env['PATH'] = path
    }
  })
})

describe('a branch of that name that nobody recorded', () => {
  test('is left alone: the mission takes the next number', async () => {
    using folder = repository()
    gitIn(folder.path, 'branch', missionBranch)
    expect((await prepare(folder.path)).branch).toBe(`${missionBranch}-2`)
  })

  test('is left alone at origin too', { tags: 'large' }, async () => {
    using origin = repository()
    gitIn(origin.path, 'branch', missionBranch)
    using clone = cloned(origin.path)
    expect((await prepare(clone.path)).branch).toBe(`${missionBranch}-2`)
  })
})

describe("the mission's branch", () => {
  test('is gone on with where it is', async () => {
    const { folder, recorded } = await worked()
    using _ = folder
    const { branch, startSha, baseSha } = await prepare(folder.path, ofMission(recorded))
    expect({ branch, startSha, baseSha }).toEqual({
      branch: missionBranch,
      startSha: recorded.startSha,
      baseSha: recorded.lastSha,
    })
  })

  test(
    'is cut anew in a checkout that does not have it, if nothing was committed on it',
    { tags: 'large' },
    async () => {
      using folder = repository()
      const start = gitIn(folder.path, 'rev-parse', 'main')
      const recorded = { ...recordedIn(folder.path, { branch: 'main' }), branch: missionBranch }
      const later = commit(folder.path, 'later.txt')
      const ofOther = { ...recorded, startSha: start, lastSha: start, runnerId: otherRunner }
      const { branch, startSha } = await prepare(folder.path, ofMission(ofOther))
      expect({ branch, startSha }).toEqual({ branch: missionBranch, startSha: later })
    },
  )

  test(
    'is gone on with where a run pushed it and was gone before it could say so',
    { tags: 'large' },
    async () => {
      using origin = repository()
      using clone = cloned(origin.path)
      const start = gitIn(origin.path, 'rev-parse', 'main')
      gitIn(origin.path, 'switch', '--quiet', '--create', missionBranch)
      const pushed = commit(origin.path, 'pushed.txt')
      const recorded = { ...recordedIn(clone.path, { branch: 'main' }), branch: missionBranch }
      const cut = { ...recorded, startSha: start, lastSha: start, runnerId: otherRunner }
      const { baseSha, warnings } = await prepare(clone.path, ofMission(cut))
      expect(baseSha).toBe(pushed)
      expect(warnings).toEqual([expect.stringContaining('1 commit after')])
    },
  )

  test.each([
    ['nothing of it is at origin', false, 'is begun anew: runner'],
    ['a part of it is at origin', true, 'the last commit that the service has a record of'],
  ])(
    'begins with what there is where its runner is gone, and %s',
    { tags: 'large' },
    async (_, isPart, warning) => {
      using origin = repository()
      using clone = cloned(origin.path)
      const start = gitIn(origin.path, 'rev-parse', 'main')
      if (isPart) gitIn(origin.path, 'switch', '--quiet', '--create', missionBranch)
      const part = isPart ? commit(origin.path, 'part.txt') : start
      const gone = {
        ...recordedIn(clone.path, { branch: 'main' }),
        branch: missionBranch,
        lastSha: 'a'.repeat(40),
        runnerId: otherRunner,
        runnerGone: true,
      }
      await expect(
        prepare(clone.path, ofMission({ ...gone, runnerGone: false })),
      ).rejects.toMatchObject({ reason: 'branch_elsewhere' })
      const { branch, baseSha, warnings } = await prepare(clone.path, ofMission(gone))
      expect({ branch, baseSha }).toEqual({ branch: missionBranch, baseSha: part })
      expect(warnings).toEqual([expect.stringContaining(warning)])
    },
  )

  isFollowed(merges.slice(0, 1))

  test(
    'is not taken for merged when it is gone: the run fails and says how to restore it',
    { tags: 'large' },
    async () => {
      const { folder, at, recorded } = await worked()
      using _ = folder
      gitIn(folder.path, 'worktree', 'remove', at)
      gitIn(folder.path, 'branch', '--quiet', '-D', missionBranch)
      await expect(prepare(folder.path, ofMission(recorded))).rejects.toMatchObject({
        code: 'branch_gone',
        message: expect.stringContaining(`git branch ${missionBranch} ${recorded.lastSha}`),
      })
      gitIn(folder.path, 'branch', missionBranch, recorded.lastSha)
      expect((await prepare(folder.path, ofMission(recorded))).baseSha).toBe(recorded.lastSha)
    },
  )

  test('that lost its last commit is not gone on with', { tags: 'large' }, async () => {
    const { folder, at, recorded } = await worked()
    using _ = folder
    gitIn(at, 'reset', '--quiet', '--hard', 'main')
    await expect(prepare(folder.path, ofMission(recorded))).rejects.toMatchObject({
      code: 'branch_gone',
      message: expect.stringContaining(`git merge ${recorded.lastSha}`),
    })
  })

  test('on another machine is waited for there, with the ways on', { tags: 'large' }, async () => {
    const { folder, recorded } = await worked()
    using _ = folder
    using elsewhere = repository()
    const ofOther = { ...recorded, runnerId: otherRunner, runnerLabel: 'box' }
    await expect(prepare(elsewhere.path, ofMission(ofOther))).rejects.toMatchObject({
      reason: 'branch_elsewhere',
      message: `Branch ${missionBranch} is on runner box and not in resource web on laptop: start that runner, or launch again with --resource web --from-base.`,
    })
    expect(await currentBranch(elsewhere.path)).toBe('main')
  })

  test('is brought up to what others pushed on it', { tags: 'large' }, async () => {
    using origin = repository()
    using one = cloned(origin.path)
    using two = cloned(origin.path)
    const { at } = await prepare(one.path)
    commit(at, 'first.txt')
    const recorded = recordedIn(one.path)
    gitIn(one.path, 'push', '--quiet', 'origin', missionBranch)
    gitIn(two.path, 'fetch', '--quiet')
    gitIn(two.path, 'switch', '--quiet', missionBranch)
    const pushed = commit(two.path, 'review.txt')
    gitIn(two.path, 'push', '--quiet', 'origin', missionBranch)

    const { baseSha, warnings } = await prepare(one.path, ofMission(recorded))
    const warning = expect.stringContaining(`is 1 commit after ${recorded.lastSha.slice(0, 12)}`)
    expect({ baseSha, warnings }).toEqual({ baseSha: pushed, warnings: [warning] })
  })

  test('stays aside on a person’s word', { tags: 'large' }, async () => {
    using folder = repository()
    const lost = { ...recordedIn(folder.path, { branch: 'main' }), branch: missionBranch }
    const recorded = { ...lost, lastSha: 'f'.repeat(40), runnerId: otherRunner }
    const { branch } = await prepare(folder.path, ofMission(recorded, { fromBase: true }))
    expect(branch).toBe(`${missionBranch}-2`)
  })
})

describe("an objective's own branch", () => {
  test('is cut from the mission’s, and found again', { tags: 'large' }, async () => {
    const { folder, recorded } = await worked()
    using _ = folder
    const first = await prepare(folder.path, { ...ofMission(recorded), olderSiblings: 1 })
    expect(first).toMatchObject({ branch: `${missionBranch}-k7qd`, startSha: recorded.lastSha })
    commit(first.at, 'own.txt')
    const objective = recordedIn(folder.path, {
      branch: first.branch,
      startSha: first.startSha,
    })

    const again = await prepare(folder.path, ofMission(recorded, { objective }))
    expect(again).toMatchObject({ branch: first.branch, baseSha: objective.lastSha })
  })
})
