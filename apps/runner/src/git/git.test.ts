import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '@svc/contracts/limits'
import { describe, expect, test } from 'vitest'
import { commitMany } from '../testing/prepared.ts'
import { createRepository, gitIn, temporaryFolder } from '@svc/testing/temporary'
import { pipeIn } from '../testing/pipe-in.ts'
import { cutPatch, readRunDiff } from './diff.ts'
import { git } from './git.ts'
import { excludeScratchFolder, openScratchFolder } from './scratch-folder.ts'

const asItIs = (text: string) => text

function repository() {
  const folder = temporaryFolder()
  createRepository(folder.path)
  return folder
}

function commit(checkout: string, file: string, text: string): void {
  writeFileSync(join(checkout, file), text)
  gitIn(checkout, 'add', '.')
  gitIn(checkout, 'commit', '--quiet', '-m', file)
}

describe('the scratch folder', () => {
  test('is not written into a pipe in place of what Git passes over', async () => {
    using folder = repository()
    const path = join(folder.path, '.git', 'info', 'exclude')
    using _ = pipeIn(path, '.svc/\n')
    await expect(excludeScratchFolder(folder.path)).rejects.toThrow(
      `${path} is not a regular file: remove it and try again.`,
    )
  })

  test('is entered where a person has a link in place of that file', async () => {
    using folder = repository()
    const own = join(folder.path, 'own')
    writeFileSync(own, 'mine\n')
    const path = join(folder.path, '.git', 'info', 'exclude')
    rmSync(path)
    symlinkSync(own, path)
    await excludeScratchFolder(folder.path)
    expect(readFileSync(own, 'utf8')).toBe('mine\n.svc/\n')
  })

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
    const diff = await readRunDiff(folder.path, { baseSha: base, branch: 'main' }, asItIs)
    expect(diff).toMatchObject({ baseSha: base, dirty: true, truncated: false, complete: true })
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
    const { stat, dirty } = await readRunDiff(
      folder.path,
      { baseSha: base, branch: 'main' },
      asItIs,
    )
    expect(stat).toEqual([{ filePath: 'image.bin', additions: null, deletions: null }])
    expect(dirty).toBe(false)
  })

  test('of a binary file that attributes show as text holds no NUL', async () => {
    using folder = repository()
    const base = gitIn(folder.path, 'rev-parse', 'HEAD')
    commit(folder.path, '.gitattributes', '*.bin diff\n')
    commit(folder.path, 'image.bin', 'a\0b\n')
    const { patch } = await readRunDiff(folder.path, { baseSha: base, branch: 'main' }, asItIs)
    expect(patch).toContain('+a\ufffdb')
    expect(patch).not.toContain('\0')
  })

  test('names no more files than the service takes, and says so', async () => {
    using folder = repository()
    // never written out, which a busy disk would take long for: the run removed them
    commitMany(folder.path, limits.diffFiles)
    const base = gitIn(folder.path, 'rev-parse', 'HEAD')
    writeFileSync(join(folder.path, 'one more.txt'), '')
    const diff = await readRunDiff(folder.path, { baseSha: base, branch: 'main' }, asItIs)
    expect(diff.stat).toHaveLength(limits.diffFiles)
    expect(diff).toMatchObject({ truncated: true, complete: false })
  })

  test('is not complete on another branch than the run’s, nor with a name that is masked', async () => {
    using folder = repository()
    const baseSha = gitIn(folder.path, 'rev-parse', 'HEAD')
    commit(folder.path, 'secret.txt', 'x\n')
    const mask = (text: string) => text.replaceAll('secret', '[masked]')
    const read = (branch: string, hide = asItIs) =>
      readRunDiff(folder.path, { baseSha, branch }, hide)
    expect(await read('main')).toMatchObject({ complete: true })
    expect(await read('main', mask)).toMatchObject({ complete: false })
    expect(await read('greeting-1')).toMatchObject({ complete: false })
    gitIn(folder.path, 'switch', '--quiet', '--detach')
    expect(await read('main')).toMatchObject({ complete: false })
  })

  test('that is longer than Git is listened to is its beginning, and every file’s name', async () => {
    using folder = repository()
    const baseSha = gitIn(folder.path, 'rev-parse', 'HEAD')
    writeFileSync(join(folder.path, 'a.txt'), 'small\n')
    writeFileSync(join(folder.path, 'b.txt'), Buffer.alloc(65 * 1024 * 1024, 'x'))
    const diff = await readRunDiff(folder.path, { baseSha, branch: 'main' }, asItIs)
    expect(diff).toMatchObject({ truncated: true, complete: true })
    expect(diff.stat.map(({ filePath }) => filePath)).toEqual(['a.txt', 'b.txt'])
    expect(diff.patch).toMatch(/^diff --git a\/a\.txt [^]*\+small\n$/)
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
