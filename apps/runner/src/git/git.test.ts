import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readProcess } from '@svc/process/process-identity'
import { limits } from '@svc/contracts/limits'
import { describe, expect, test } from 'vitest'
import { makeAssignment } from '../testing/assignment.ts'
import { gitIn, makeRepository, temporaryFolder } from '../testing/temporary.ts'
import { type CheckoutHolder, freeCheckoutLock, takeCheckoutLock } from './checkout-lock.ts'
import { currentBranch, planCheckoutBranch, switchToBranch } from './checkout.ts'
import { cutPatch, readRunDiff } from './diff.ts'
import { git } from './git.ts'
import { excludeScratchFolder, openScratchFolder } from './scratch-folder.ts'

const asItIs = (text: string) => text

function repository() {
  const folder = temporaryFolder()
  makeRepository(folder.path)
  return folder
}

async function prepare(checkout: string, wanted: Parameters<typeof makeAssignment>[0] = {}) {
  const assignment = makeAssignment({ resourceKey: 'web', ...wanted })
  const plan = await planCheckoutBranch(checkout, assignment, {})
  const baseSha = await switchToBranch(checkout, plan, assignment.project.useWorktrees, {})
  return { branch: plan.branch, baseSha }
}

function commit(checkout: string, file: string, text: string): void {
  writeFileSync(join(checkout, file), text)
  gitIn(checkout, 'add', '.')
  gitIn(checkout, 'commit', '--quiet', '-m', file)
}

describe('a checkout', () => {
  test("is switched to the mission's new branch, cut from the base", async () => {
    using folder = repository()
    const head = gitIn(folder.path, 'rev-parse', 'main')
    expect(await prepare(folder.path)).toEqual({ branch: 'add-a-greeting-7', baseSha: head })
    expect(await currentBranch(folder.path)).toBe('add-a-greeting-7')
  })

  test('on its branch is used, dirty or not', async () => {
    using folder = repository()
    await prepare(folder.path)
    writeFileSync(join(folder.path, 'half.txt'), 'done')
    await prepare(folder.path, { activeBranch: 'add-a-greeting-7' })
    expect(readFileSync(join(folder.path, 'half.txt'), 'utf8')).toBe('done')
  })

  test('stays on a recorded branch on which nothing was committed yet', async () => {
    using folder = repository()
    await prepare(folder.path)
    commit(folder.path, 'a.txt', 'a')
    gitIn(folder.path, 'switch', '--quiet', 'main')
    gitIn(folder.path, 'branch', 'fresh-7')
    const { branch } = await prepare(folder.path, { activeBranch: 'fresh-7' })
    expect(branch).toBe('fresh-7')
  })

  test('starts the next cycle when the recorded branch was merged', async () => {
    using folder = repository()
    await prepare(folder.path)
    commit(folder.path, 'a.txt', 'a')
    gitIn(folder.path, 'switch', '--quiet', 'main')
    gitIn(folder.path, 'merge', '--quiet', 'add-a-greeting-7')
    const { branch } = await prepare(folder.path, { activeBranch: 'add-a-greeting-7' })
    expect(branch).toBe('add-a-greeting-7-2')
  })

  test('dirty on another branch is given back, without worktrees refused by name', async () => {
    using folder = repository()
    writeFileSync(join(folder.path, 'mine.txt'), 'mine')
    await expect(prepare(folder.path)).rejects.toMatchObject({ reason: 'checkout_busy' })
    await expect(prepare(folder.path, { useWorktrees: false })).rejects.toMatchObject({
      code: 'dirty_checkout',
      message: expect.stringContaining('mine.txt'),
    })
    expect(await currentBranch(folder.path)).toBe('main')
  })

  test('whose branch another worktree has is given back', async () => {
    using folder = repository()
    using other = temporaryFolder()
    gitIn(
      folder.path,
      'worktree',
      'add',
      '--quiet',
      '-b',
      'add-a-greeting-7',
      join(other.path, 'w'),
    )
    await expect(prepare(folder.path)).rejects.toMatchObject({ reason: 'checkout_busy' })
  })

  test('without a commit is refused in one sentence', async () => {
    using folder = temporaryFolder()
    gitIn(folder.path, 'init', '--quiet', '--initial-branch=main')
    await expect(prepare(folder.path)).rejects.toMatchObject({ code: 'bad_working_directory' })
  })

  test.each(['main:refs/heads/victim', '@{-1}', '-x', 'a b'])(
    'is not given the default branch %s, which is no name',
    async (defaultBranch) => {
      using origin = repository()
      using folder = temporaryFolder()
      gitIn(folder.path, 'clone', '--quiet', origin.path, 'clone')
      const clone = join(folder.path, 'clone')
      gitIn(clone, 'switch', '--quiet', '--create', 'other')
      const assignment = makeAssignment({ resourceKey: 'web' })
      const project = { ...assignment.project, defaultBranch }
      await expect(planCheckoutBranch(clone, { ...assignment, project }, {})).rejects.toMatchObject(
        {
          code: 'bad_working_directory',
          message: expect.stringContaining('cannot be the name of a branch'),
        },
      )
      expect(gitIn(clone, 'branch', '--list', 'victim')).toBe('')
    },
  )

  test('takes its base from origin when there is one', async () => {
    using origin = repository()
    using folder = temporaryFolder()
    gitIn(folder.path, 'clone', '--quiet', origin.path, 'clone')
    const clone = join(folder.path, 'clone')
    commit(origin.path, 'new.txt', 'new')
    const { baseSha } = await prepare(clone)
    expect(baseSha).toBe(gitIn(origin.path, 'rev-parse', 'main'))
  })
})

describe('the scratch folder', () => {
  test('is unknown to Git and written there once', async () => {
    using folder = repository()
    openScratchFolder(folder.path)
    await excludeScratchFolder(folder.path)
    await excludeScratchFolder(folder.path)
    writeFileSync(join(folder.path, '.svc', 'tmp', 'x'), '')
    expect(gitIn(folder.path, 'status', '--porcelain')).toBe('')
    const exclude = readFileSync(join(folder.path, '.git', 'info', 'exclude'), 'utf8')
    expect(exclude.match(/^\.svc\/$/gm)).toHaveLength(1)
  })

  test.each(['.svc', join('.svc', 'tmp')])('is refused when %s is a link', (name) => {
    using folder = temporaryFolder()
    using elsewhere = temporaryFolder()
    if (name !== '.svc') mkdirSync(join(folder.path, '.svc'))
    symlinkSync(elsewhere.path, join(folder.path, name))
    expect(() => openScratchFolder(folder.path)).toThrow('not a folder of its own')
  })
})

describe('the lock of a checkout', () => {
  const me = readProcess(process.pid)!
  const holder: CheckoutHolder = {
    requestId: 'r1',
    generation: 1,
    missionId: 'm',
    objectiveId: 'o',
    branch: 'b',
    runFolder: '/runs/r1.1',
    supervisor: me,
  }
  const gone = { pid: 1, startedAt: 'never' }

  test('names its living holder', () => {
    using folder = temporaryFolder()
    openScratchFolder(folder.path)
    expect(takeCheckoutLock(folder.path, holder)).toBeUndefined()
    expect(takeCheckoutLock(folder.path, { ...holder, requestId: 'r2' })).toEqual(holder)
    freeCheckoutLock(folder.path, holder)
    expect(takeCheckoutLock(folder.path, { ...holder, requestId: 'r2' })).toBeUndefined()
  })

  test('stays when the working tree is cleaned, one for each worktree', () => {
    using folder = repository()
    using other = temporaryFolder()
    const worktree = join(other.path, 'w')
    gitIn(folder.path, 'worktree', 'add', '--quiet', worktree)
    for (const checkout of [folder.path, worktree]) {
      openScratchFolder(checkout)
      expect(takeCheckoutLock(checkout, holder)).toBeUndefined()
      gitIn(checkout, 'clean', '--quiet', '-fdx')
      expect(takeCheckoutLock(checkout, { ...holder, requestId: 'r2' })).toEqual(holder)
    }
    freeCheckoutLock(worktree, holder)
    expect(takeCheckoutLock(worktree, { ...holder, requestId: 'r2' })).toBeUndefined()
    expect(takeCheckoutLock(folder.path, { ...holder, requestId: 'r2' })).toEqual(holder)
  })

  test('is held as long as supervisor or agent lives', () => {
    using folder = temporaryFolder()
    openScratchFolder(folder.path)
    takeCheckoutLock(folder.path, { ...holder, supervisor: gone, agent: me })
    expect(takeCheckoutLock(folder.path, { ...holder, requestId: 'r2' })?.requestId).toBe('r1')
  })

  test('is no lock when it is a link, and the run fails', () => {
    using folder = temporaryFolder()
    openScratchFolder(folder.path)
    symlinkSync('/nonexistent/lock', join(folder.path, '.svc', 'checkout.lock'))
    expect(() => takeCheckoutLock(folder.path, holder)).toThrow(
      expect.objectContaining({
        code: 'bad_working_directory',
        message: expect.stringContaining('checkout.lock is not a regular file: remove it'),
      }),
    )
  })

  test('is taken over when neither lives', () => {
    using folder = temporaryFolder()
    openScratchFolder(folder.path)
    takeCheckoutLock(folder.path, { ...holder, supervisor: gone, agent: gone })
    expect(takeCheckoutLock(folder.path, { ...holder, requestId: 'r2' })).toBeUndefined()
  })
})

describe('the diff of a run', () => {
  test('holds what is committed, changed, removed and new, and leaves the index alone', async () => {
    using folder = repository()
    commit(folder.path, 'gone.txt', 'gone\n')
    const base = gitIn(folder.path, 'rev-parse', 'HEAD')
    commit(folder.path, 'committed.txt', 'one\n')
    writeFileSync(join(folder.path, 'README.md'), '# Web\nchanged\n')
    writeFileSync(join(folder.path, 'new file ä.txt'), 'new\n')
    gitIn(folder.path, 'rm', '--quiet', 'gone.txt')
    const before = gitIn(folder.path, 'status', '--porcelain')
    const diff = await readRunDiff(folder.path, base, asItIs)
    expect(diff).toMatchObject({ baseSha: base, dirty: true, truncated: false })
    expect(diff.stat).toEqual([
      { filePath: 'README.md', additions: 1, deletions: 0 },
      { filePath: 'committed.txt', additions: 1, deletions: 0 },
      { filePath: 'gone.txt', additions: 0, deletions: 1 },
      { filePath: 'new file ä.txt', additions: 1, deletions: 0 },
    ])
    expect(diff.patch).toContain('+new')
    expect(gitIn(folder.path, 'status', '--porcelain')).toBe(before)
  })

  test('of a binary file is its name without numbers', async () => {
    using folder = repository()
    const base = gitIn(folder.path, 'rev-parse', 'HEAD')
    commit(folder.path, 'image.bin', '\0\u0001binary')
    const { stat, dirty } = await readRunDiff(folder.path, base, asItIs)
    expect(stat).toEqual([{ filePath: 'image.bin', additions: null, deletions: null }])
    expect(dirty).toBe(false)
  })

  test('of a binary file that attributes show as text holds no NUL', async () => {
    using folder = repository()
    const base = gitIn(folder.path, 'rev-parse', 'HEAD')
    commit(folder.path, '.gitattributes', '*.bin diff\n')
    commit(folder.path, 'image.bin', 'a\0b\n')
    const { patch } = await readRunDiff(folder.path, base, asItIs)
    expect(patch).toContain('+a\ufffdb')
    expect(patch).not.toContain('\0')
  })

  test('names no more files than the service takes, and says so', async () => {
    using folder = repository()
    const base = gitIn(folder.path, 'rev-parse', 'HEAD')
    for (let number = 0; number <= limits.diffFiles; number += 1) {
      writeFileSync(join(folder.path, `${number}.txt`), '')
    }
    const diff = await readRunDiff(folder.path, base, asItIs)
    expect(diff.stat).toHaveLength(limits.diffFiles)
    expect(diff.truncated).toBe(true)
  })

  test('is cut between files', () => {
    const patch = 'diff --git a/a b/a\n+1\ndiff --git a/b b/b\n+2\n'
    expect(cutPatch(patch, 30)).toEqual({ patch: 'diff --git a/a b/a\n+1\n', truncated: true })
    expect(cutPatch(patch, 100)).toEqual({ patch, truncated: false })
  })
})

test('a missing Git is one sentence that says what to do', async () => {
  const path = process.env['PATH']
  process.env['PATH'] = '/nonexistent'
  try {
    await expect(git('/', ['status'])).rejects.toThrow('Git is not installed')
  } finally {
    process.env['PATH'] = path
  }
})
