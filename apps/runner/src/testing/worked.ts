import { expect, test } from 'vitest'
import {
  cloned,
  commit,
  missionBranch,
  ofMission,
  openRoot,
  recordedIn,
  repository,
} from './prepared.ts'
import { gitIn } from '@svc/testing/temporary'

export const root = openRoot()

export const noNames = ['main:refs/heads/victim', '@{-1}', '-x', 'a b'] as const

export function isNotGiven(rows: readonly (typeof noNames)[number][]): void {
  test.each(rows)('is not given the default branch %s, which is no name', async (defaultBranch) => {
    using origin = repository()
    using clone = cloned(origin.path)
    gitIn(clone.path, 'switch', '--quiet', '--create', 'other')
    await expect(prepare(clone.path, { defaultBranch })).rejects.toMatchObject({
      code: 'bad_working_directory',
      message: expect.stringContaining('cannot be the name of a branch'),
    })
    expect(gitIn(clone.path, 'branch', '--list', 'victim')).toBe('')
  })
}

export const merges = [
  ['merged', ['merge', '--quiet', missionBranch]],
  ['merged with a commit of its own', ['merge', '--quiet', '--no-ff', missionBranch]],
  ['squashed', ['merge', '--quiet', '--squash', missionBranch]],
] as const

export function isFollowed(rows: readonly (typeof merges)[number][]): void {
  test.each(rows)('is followed by the next cycle once it was %s', async (how, merge) => {
    const { folder, at, recorded } = await worked()
    using _ = folder
    commit(folder.path, 'of-others.txt')
    gitIn(folder.path, ...merge)
    if (how === 'squashed') gitIn(folder.path, 'commit', '--quiet', '-m', 'Squashed')
    gitIn(folder.path, 'worktree', 'remove', at)
    gitIn(folder.path, 'branch', '--quiet', '-D', missionBranch)
    const { branch, startSha } = await prepare(folder.path, ofMission(recorded))
    expect(branch).toBe(`${missionBranch}-2`)
    expect(startSha).toBe(gitIn(folder.path, 'rev-parse', 'main'))
  })
}

export const { prepare } = root

/** A repository in which a run of the mission left one commit. */
export async function worked() {
  const folder = repository()
  const { at } = await prepare(folder.path)
  commit(at, 'first.txt')
  return { folder, at, recorded: recordedIn(folder.path) }
}
