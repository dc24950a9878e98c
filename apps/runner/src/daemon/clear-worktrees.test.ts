import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { Prepared } from '@svc/contracts/assignment'
import { readProcess } from '@svc/process/process-identity'
import { homeAt, openHome } from '../files/home.ts'
import { takeLock } from '@svc/process/process-lock'
import { linkCheckout, unlinkCheckout } from '../files/resources.ts'
import { writeWorktreeFacts } from '../git/worktree-facts.ts'
import { commit, repository } from '../testing/prepared.ts'
import { gitIn, temporaryFolder } from '@svc/testing/temporary'
import { appendJournal } from '../run/journal.ts'
import { clearWorktrees } from './clear-worktrees.ts'

afterEach(() => void vi.unstubAllEnvs())

/** A home with worktrees of one checkout, whose work is all merged. */
function openMerged(...names: string[]) {
  const folder = temporaryFolder()
  const { path: checkout } = repository()
  const home = openHome(join(folder.path, 'home'))
  const link = { projectId: randomUUID(), projectSlug: 'web', resourceKey: 'web', path: checkout }
  linkCheckout(home, link)
  const startSha = gitIn(checkout, 'rev-parse', 'main')
  const at = (name: string) => join(home.worktrees, 'web', 'web', name)
  for (const name of names) {
    gitIn(checkout, 'worktree', 'add', '--quiet', '-b', name, at(name))
    writeWorktreeFacts(at(name), { mission: 'web:7', startSha, baseBranch: 'main' })
    commit(at(name), `${name}.txt`)
    gitIn(checkout, 'merge', '--quiet', '--no-edit', name)
  }
  const warnings: string[] = []
  const log = {
    info: () => undefined,
    warn: (_: unknown, text: string) => void warnings.push(text),
  }
  const dispose = () => {
    rmSync(checkout, { recursive: true })
    folder[Symbol.dispose]()
  }
  return {
    folder: home.folder,
    checkout,
    at,
    warnings,
    unlink: () => unlinkCheckout(home, link),
    clear: (signal?: AbortSignal) => clearWorktrees(home, log, { signal }),
    [Symbol.dispose]: dispose,
  }
}

test('a worktree that Git does not remove keeps no other one', { tags: 'large' }, async () => {
  using merged = openMerged('first', 'second')
  gitIn(merged.checkout, 'worktree', 'lock', merged.at('first'))
  await merged.clear()
  expect(merged.warnings).toEqual(['could not remove a worktree that is no longer needed'])
  expect(['first', 'second'].map((name) => existsSync(merged.at(name)))).toEqual([true, false])
})

test(
  'of a checkout that is linked no more they go too, and keep what only they have',
  { tags: 'large' },
  async () => {
    using merged = openMerged('merged', 'dirty')
    writeFileSync(join(merged.at('dirty'), 'precious.txt'), '')
    mkdirSync(merged.at('lost'))
    writeFileSync(join(merged.at('lost'), '.git'), 'gitdir: /nowhere/.git/worktrees/lost')
    merged.unlink()
    await merged.clear()
    expect(merged.warnings).toEqual([])
    const names = ['merged', 'dirty', 'lost']
    expect(names.map((name) => existsSync(merged.at(name)))).toEqual([false, true, true])
  },
)

test(
  'a worktree that is gone is removed from the list of Git; files in its place stay',
  { tags: 'large' },
  async () => {
    using merged = openMerged('gone', 'emptied', 'foreign')
    for (const name of ['gone', 'emptied', 'foreign']) rmSync(merged.at(name), { recursive: true })
    for (const name of ['emptied', 'foreign']) mkdirSync(merged.at(name))
    writeFileSync(join(merged.at('foreign'), 'precious.txt'), '')
    await merged.clear()
    expect(merged.warnings).toEqual([])
    expect(existsSync(merged.at('emptied'))).toBe(false)
    expect(existsSync(join(merged.at('foreign'), 'precious.txt'))).toBe(true)
    const listed = gitIn(merged.checkout, 'worktree', 'list', '--porcelain')
    expect(listed.match(/^branch .*/gm)).toEqual([
      'branch refs/heads/main',
      'branch refs/heads/foreign',
    ])
  },
)

test('a worktree stays until the run is over that was at work in it, whoever may report that', async () => {
  using merged = openMerged('first', 'second')
  const { folder, at } = merged
  const run = join(homeAt(folder).runs, `${randomUUID()}.1`)
  mkdirSync(run)
  appendJournal(run, {
    step: 'prepared',
    ...Prepared.parse({
      workingDirectory: at('first'),
      branch: 'first',
      baseSha: null,
      checkout: 'worktree',
    }),
  })
  await merged.clear()
  expect(['first', 'second'].map((name) => existsSync(at(name)))).toEqual([true, false])
  appendJournal(run, { step: 'cleaned' })
  await merged.clear()
  expect(existsSync(at('first'))).toBe(false)
})

test('a repository that another process decides about keeps nobody who stops', async () => {
  using merged = openMerged('merged')
  const svc = join(merged.checkout, '.git', 'svc')
  mkdirSync(svc, { recursive: true })
  takeLock(join(svc, 'worktrees.lock'), { ...readProcess(process.ppid) }, () => false)
  await merged.clear(AbortSignal.timeout(300))
  expect(merged.warnings).toEqual([])
  expect(existsSync(merged.at('merged'))).toBe(true)
})

test(
  'a worktree that Git refuses because it belongs to another user keeps no other one',
  { tags: 'large' },
  async () => {
    using merged = openMerged('first', 'foreign')
    using bin = temporaryFolder()
    const path = process.env['PATH'] ?? ''
    const owner = `case "$PWD" in */foreign) export GIT_TEST_ASSUME_DIFFERENT_OWNER=1;; esac`
    const script = `#!/bin/sh\nPATH='${path}'\n${owner}\nexec git "$@"\n`
    writeFileSync(join(bin.path, 'git'), script, { mode: 0o755 })
    vi.stubEnv('PATH', `${bin.path}:${path}`)
    vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null')
    await merged.clear()
    expect(merged.warnings).toContain('could not find the checkout of a worktree')
    expect(['first', 'foreign'].map((name) => existsSync(merged.at(name)))).toEqual([false, true])
  },
)
