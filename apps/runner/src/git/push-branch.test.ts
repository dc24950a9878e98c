import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cloned, commit, missionBranch, repository } from '../testing/prepared.ts'
import { gitIn } from '@svc/testing/temporary'
import { pushBranch, pushWork } from './push-branch.ts'

/** A clone with one commit on the mission's branch, and where it was cloned from. */
function worked() {
  const origin = repository()
  const clone = cloned(origin.path)
  gitIn(clone.path, 'switch', '--quiet', '--create', missionBranch)
  const sha = commit(clone.path, 'first.txt')
  return { origin, clone, sha }
}

function addHook(checkout: string, name: string, script: string): void {
  writeFileSync(join(checkout, '.git', 'hooks', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

const refused = (why: string) => `Branch ${missionBranch} could not be pushed: ${why}`

describe('the branch of a run', () => {
  test('is pushed to origin, and so is what comes later', { tags: 'large' }, async () => {
    const { origin, clone } = worked()
    using _ = origin
    using __ = clone
    expect(await pushBranch(clone.path, missionBranch)).toBeUndefined()
    const later = commit(clone.path, 'second.txt')
    expect(await pushBranch(clone.path, missionBranch)).toBeUndefined()
    expect(gitIn(origin.path, 'rev-parse', missionBranch)).toBe(later)
  })

  test('that went another way at origin is not forced upon it', { tags: 'large' }, async () => {
    const { origin, clone } = worked()
    using _ = origin
    using __ = clone
    gitIn(origin.path, 'branch', missionBranch)
    gitIn(origin.path, 'switch', '--quiet', missionBranch)
    const theirs = commit(origin.path, 'theirs.txt')
    expect(await pushBranch(clone.path, missionBranch)).toContain('[rejected]')
    expect(gitIn(origin.path, 'rev-parse', missionBranch)).toBe(theirs)
  })

  test('that a hook at origin refuses is reported in its words', { tags: 'large' }, async () => {
    const { origin, clone } = worked()
    using _ = origin
    using __ = clone
    addHook(origin.path, 'pre-receive', 'echo not on Fridays\nexit 1')
    expect(await pushBranch(clone.path, missionBranch)).toContain('remote: not on Fridays')
  })

  test('that a hook here refuses is reported in its words, or as that', async () => {
    const { origin, clone } = worked()
    using _ = origin
    using __ = clone
    addHook(clone.path, 'pre-push', 'echo lint it first >&2\nexit 1')
    expect(await pushBranch(clone.path, missionBranch)).toBe(refused('lint it first'))
    addHook(clone.path, 'pre-push', 'exit 1')
    const silent = refused('a hook of this repository refused it')
    expect(await pushBranch(clone.path, missionBranch)).toBe(silent)
  })

  test('stays here where origin is gone, or was never there', async () => {
    const { origin, clone } = worked()
    using _ = clone
    rmSync(origin.path, { recursive: true })
    expect(await pushBranch(clone.path, missionBranch)).toContain('could not be pushed: fatal:')
    gitIn(clone.path, 'remote', 'remove', 'origin')
    expect(await pushBranch(clone.path, missionBranch)).toContain('no remote called origin')
  })

  test('that is gone is nothing to push', async () => {
    using folder = repository()
    const lost = { workingDirectory: folder.path, branch: missionBranch, startSha: null }
    expect(await pushWork(lost, {})).toEqual([])
  })
})
