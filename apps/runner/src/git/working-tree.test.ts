import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  commit,
  missionBranch,
  ofMission,
  openRoot,
  recordedIn,
  repository,
} from '../testing/prepared.ts'
import { gitIn, temporaryFolder } from '@svc/testing/temporary'
import { currentBranch } from './checkout.ts'

const root = openRoot()
afterAll(() => root[Symbol.dispose]())
const { prepare } = root

describe('a run', () => {
  test("gets a worktree on the mission's new branch; the linked checkout is left alone", async () => {
    using folder = repository()
    writeFileSync(join(folder.path, 'README.md'), 'half a thought')
    writeFileSync(join(folder.path, 'mine.txt'), 'mine')
    const head = gitIn(folder.path, 'rev-parse', 'main')
    const before = gitIn(folder.path, 'status', '--porcelain')

    const { at, ...prepared } = await prepare(folder.path)
    expect(prepared).toEqual({
      kind: 'worktree',
      branch: missionBranch,
      startSha: head,
      baseSha: head,
      warnings: [],
    })
    expect(await currentBranch(at)).toBe(missionBranch)
    expect(readFileSync(join(at, 'README.md'), 'utf8')).toBe('# Web\n')
    expect(await currentBranch(folder.path)).toBe('main')
    expect(gitIn(folder.path, 'status', '--porcelain')).toBe(before)
  })

  test(
    'goes on in the worktree of the one before, with what that left uncommitted',
    { tags: 'large' },
    async () => {
      using folder = repository()
      const { at } = await prepare(folder.path)
      writeFileSync(join(at, 'half.txt'), 'done')
      const again = await prepare(folder.path, ofMission(recordedIn(folder.path)))
      expect(again).toMatchObject({
        at,
        warnings: ['What is not committed there is from before this run: half.txt.'],
      })
      expect(readFileSync(join(at, 'half.txt'), 'utf8')).toBe('done')
    },
  )

  test(
    'gets its worktree back on its branch when an agent left it on another',
    { tags: 'large' },
    async () => {
      using folder = repository()
      const { at } = await prepare(folder.path)
      gitIn(at, 'switch', '--quiet', '--create', 'elsewhere')
      const again = await prepare(folder.path, ofMission(recordedIn(folder.path)))
      expect(again).toMatchObject({ at, branch: missionBranch })
      expect(await currentBranch(at)).toBe(missionBranch)
    },
  )

  test(
    'is refused where an agent left another branch with uncommitted changes',
    { tags: 'large' },
    async () => {
      using folder = repository()
      const { at } = await prepare(folder.path)
      gitIn(at, 'switch', '--quiet', '--create', 'elsewhere')
      writeFileSync(join(at, 'half.txt'), 'done')
      await expect(prepare(folder.path, ofMission(recordedIn(folder.path)))).rejects.toMatchObject({
        code: 'dirty_checkout',
        message: `Worktree ${missionBranch} of resource web on laptop is not on branch ${missionBranch} and has uncommitted changes: commit or stash half.txt.`,
      })
    },
  )

  test('gets a new worktree when its folder was removed by hand', { tags: 'large' }, async () => {
    using folder = repository()
    const { at } = await prepare(folder.path)
    const lastSha = commit(at, 'first.txt')
    const recorded = recordedIn(folder.path)
    rmSync(at, { recursive: true })
    expect(await prepare(folder.path, ofMission(recorded))).toMatchObject({ at, baseSha: lastSha })
  })

  test(
    'gets a new worktree when the one of before was never written out whole',
    { tags: 'large' },
    async () => {
      using folder = repository()
      const { at } = await prepare(folder.path)
      const recorded = recordedIn(folder.path)
      gitIn(folder.path, 'worktree', 'lock', '--reason', 'initializing', at)
      rmSync(join(at, 'README.md'))
      expect(await prepare(folder.path, ofMission(recorded))).toMatchObject({ at, warnings: [] })
      expect(existsSync(join(at, 'README.md'))).toBe(true)
    },
  )

  test(
    'is refused where something else stands in the place of its worktree',
    { tags: 'large' },
    async () => {
      using folder = repository()
      const { at } = await prepare(folder.path)
      gitIn(folder.path, 'worktree', 'remove', at)
      gitIn(folder.path, 'branch', '--quiet', '-D', missionBranch)
      mkdirSync(at, { recursive: true })
      writeFileSync(join(at, 'precious.txt'), '')
      await expect(prepare(folder.path)).rejects.toMatchObject({ code: 'branch_conflict' })
      expect(existsSync(join(at, 'precious.txt'))).toBe(true)
    },
  )

  test(
    'starts although a hook of the repository fails, and says so',
    { tags: 'large' },
    async () => {
      using folder = repository()
      const hook = join(folder.path, '.git', 'hooks', 'post-checkout')
      writeFileSync(hook, '#!/bin/sh\necho no, thanks >&2\nexit 1\n', { mode: 0o755 })
      const { at, warnings } = await prepare(folder.path)
      expect(warnings).toEqual([
        'A hook of worktree add-a-greeting-7 of resource web on laptop failed: no, thanks',
      ])
      expect(await currentBranch(at)).toBe(missionBranch)
      expect(gitIn(at, 'status', '--porcelain')).toBe('')
    },
  )

  test('starts from a checkout on no branch', { tags: 'large' }, async () => {
    using folder = repository()
    gitIn(folder.path, 'switch', '--quiet', '--detach')
    expect(await prepare(folder.path)).toMatchObject({ kind: 'worktree', branch: missionBranch })
  })
})

describe("a person's checkout that is on the branch", () => {
  test('is used when it is clean, since no worktree can have that branch too', async () => {
    using folder = repository()
    gitIn(folder.path, 'switch', '--quiet', '--create', missionBranch)
    const recorded = recordedIn(folder.path)
    const prepared = await prepare(folder.path, ofMission(recorded))
    expect(prepared).toMatchObject({ kind: 'own', at: folder.path, warnings: [] })
  })

  test('is waited for while it is not, without a change to it', { tags: 'large' }, async () => {
    using folder = repository()
    gitIn(folder.path, 'switch', '--quiet', '--create', missionBranch)
    writeFileSync(join(folder.path, 'mine.txt'), 'mine')
    await expect(prepare(folder.path, ofMission(recordedIn(folder.path)))).rejects.toMatchObject({
      reason: 'checkout_busy',
      checkout: folder.path,
      message: `Branch ${missionBranch} is checked out in resource web on laptop with changes that are not committed: commit or stash mine.txt, or switch to another branch there.`,
    })
    expect(gitIn(folder.path, 'status', '--porcelain')).toBe('?? mine.txt')
  })

  test(
    'in another worktree of theirs is reported without its path',
    { tags: 'large' },
    async () => {
      using folder = repository()
      using other = temporaryFolder()
      const theirs = join(other.path, 'w')
      gitIn(folder.path, 'worktree', 'add', '--quiet', '-b', missionBranch, theirs)
      writeFileSync(join(theirs, 'mine.txt'), 'mine')
      const refused = prepare(folder.path, ofMission(recordedIn(folder.path)))
      await expect(refused).rejects.toThrow('in another worktree of resource web on laptop')
      await expect(refused).rejects.not.toThrow(other.path)
      rmSync(join(theirs, 'mine.txt'))
      const prepared = await prepare(folder.path, ofMission(recordedIn(folder.path)))
      expect(prepared).toMatchObject({ kind: 'own', at: theirs })
    },
  )
})

describe('without worktrees', () => {
  const alone = { useWorktrees: false }

  test(
    "the linked checkout is switched to the mission's branch, and used dirty or not",
    { tags: 'large' },
    async () => {
      using folder = repository()
      expect(await prepare(folder.path, alone)).toMatchObject({ kind: 'own', at: folder.path })
      expect(await currentBranch(folder.path)).toBe(missionBranch)
      writeFileSync(join(folder.path, 'half.txt'), 'done')
      await prepare(folder.path, { ...alone, ...ofMission(recordedIn(folder.path)) })
      expect(readFileSync(join(folder.path, 'half.txt'), 'utf8')).toBe('done')
    },
  )

  test('a dirty checkout on another branch is refused by name', async () => {
    using folder = repository()
    for (const name of 'abcdefg') writeFileSync(join(folder.path, `${name}.txt`), 'mine')
    await expect(prepare(folder.path, alone)).rejects.toMatchObject({
      code: 'dirty_checkout',
      message: expect.stringContaining('g.txt'),
    })
    expect(await currentBranch(folder.path)).toBe('main')
  })

  test('a branch that another worktree has is waited for', { tags: 'large' }, async () => {
    using folder = repository()
    using other = temporaryFolder()
    gitIn(folder.path, 'worktree', 'add', '--quiet', '-b', missionBranch, join(other.path, 'w'))
    const refused = prepare(folder.path, { ...alone, ...ofMission(recordedIn(folder.path)) })
    await expect(refused).rejects.toMatchObject({ reason: 'checkout_busy' })
    await expect(refused).rejects.not.toThrow(other.path)
  })
})
