import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  commit,
  uncommittedWork,
  missionBranch,
  ofMission,
  openRoot,
  recordedIn,
  repository,
} from '../testing/prepared.ts'
import { gitIn } from '@svc/testing/temporary'

const root = openRoot()
afterAll(() => root[Symbol.dispose]())
const { prepare } = root

/** A rebase that stops at its first commit, with nothing uncommitted. */
function beginRebase(checkout: string): void {
  const env = { ...process.env, GIT_SEQUENCE_EDITOR: 'sed -i.bak s/pick/edit/' }
  const person = ['-c', 'user.name=Alice', '-c', 'user.email=alice@example.com']
  execFileSync('git', [...person, 'rebase', '--interactive', 'main'], {
    cwd: checkout,
    env,
    stdio: 'ignore',
  })
}

async function worked() {
  const folder = repository()
  const { at } = await prepare(folder.path)
  commit(at, 'first.txt')
  return { folder, at, recorded: recordedIn(folder.path) }
}

describe('a worktree in the midst of a rebase', () => {
  test(
    'is reported at the end of the run, and by the next one with both ways to go on',
    { tags: 'large' },
    async () => {
      const { folder, at, recorded } = await worked()
      using _ = folder
      commit(folder.path, 'of-others.txt')
      beginRebase(at)
      expect(await uncommittedWork(at)).toEqual([expect.stringContaining('git rebase --continue')])
      await expect(prepare(folder.path, ofMission(recorded))).rejects.toMatchObject({
        code: 'branch_conflict',
        message: `A rebase is half done in worktree ${missionBranch} of resource web on laptop: finish it there with git rebase --continue, or take it back with git rebase --abort, and launch again.`,
      })
      gitIn(at, 'rebase', '--abort')
      expect(await prepare(folder.path, ofMission(recorded))).toMatchObject({
        at,
        baseSha: recorded.lastSha,
      })
    },
  )

  test('of a person has the run wait, since Git keeps the branch for it', async () => {
    using folder = repository()
    gitIn(folder.path, 'switch', '--quiet', '--create', missionBranch)
    commit(folder.path, 'first.txt')
    const recorded = recordedIn(folder.path)
    gitIn(folder.path, 'branch', '--force', 'main', missionBranch)
    commit(folder.path, 'second.txt')
    const moved = { ...recorded, lastSha: gitIn(folder.path, 'rev-parse', 'HEAD') }
    beginRebase(folder.path)
    await expect(prepare(folder.path, ofMission(moved))).rejects.toMatchObject({
      reason: 'checkout_busy',
      message: expect.stringContaining('in the midst of a rebase of it'),
    })
  })
})

describe('a worktree whose folder', { tags: 'large' }, () => {
  test('was emptied is made again', async () => {
    const { folder, at, recorded } = await worked()
    using _ = folder
    rmSync(at, { recursive: true })
    mkdirSync(at)
    expect(await uncommittedWork(at)).toEqual([expect.stringContaining('is gone')])
    await prepare(folder.path, ofMission(recorded))
    expect(existsSync(join(at, 'first.txt'))).toBe(true)
  })

  test('lost its .git is left as it is, and in the way', async () => {
    const { folder, at, recorded } = await worked()
    using _ = folder
    rmSync(join(at, '.git'))
    await expect(prepare(folder.path, ofMission(recorded))).rejects.toMatchObject({
      code: 'branch_conflict',
      message: expect.stringContaining('move it away'),
    })
    expect(existsSync(join(at, 'first.txt'))).toBe(true)
  })
})

test(
  'a branch that an agent moved behind its start is gone on with',
  { tags: 'large' },
  async () => {
    using folder = repository()
    commit(folder.path, 'second.txt')
    const { at, startSha } = await prepare(folder.path)
    gitIn(at, 'reset', '--quiet', '--hard', 'HEAD~1')
    const recorded = recordedIn(folder.path, { startSha })
    expect(await prepare(folder.path, ofMission(recorded))).toMatchObject({ at, warnings: [] })
  },
)
