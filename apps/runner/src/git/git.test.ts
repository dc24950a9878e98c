import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '@svc/contracts/limits'
import { describe, expect, test } from 'vitest'
import { commitMany } from '../testing/prepared.ts'
import { createRepository, gitIn, temporaryFolder } from '@svc/testing/temporary'
import { pipeIn } from '../testing/pipe-in.ts'
import { readRunDiff } from './diff.ts'
import { openPatches } from './patches.ts'
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
    const patchOf = (path: string) =>
      expect.stringMatching(new RegExp(`^diff --git a/${path} b/${path}\n`)) as string
    expect(diff.files).toEqual([
      { filePath: 'README.md', additions: 1, deletions: 0, patch: patchOf('README.md') },
      { filePath: 'committed.txt', additions: 1, deletions: 0, patch: patchOf('committed.txt') },
      { filePath: 'gone.txt', additions: 0, deletions: 1, patch: patchOf('gone.txt') },
      { filePath: 'new file ä.txt', additions: 1, deletions: 0, patch: patchOf('new file ä.txt') },
    ])
    expect(gitIn(folder.path, 'status', '--porcelain')).toBe(before)
  })

  test('of a binary file is its name without numbers', async () => {
    using folder = repository()
    const base = gitIn(folder.path, 'rev-parse', 'HEAD')
    commit(folder.path, 'image.bin', '\0\u0001binary')
    const { files, dirty } = await readRunDiff(
      folder.path,
      { baseSha: base, branch: 'main' },
      asItIs,
    )
    expect(files).toMatchObject([{ filePath: 'image.bin', additions: null, deletions: null }])
    expect(dirty).toBe(false)
  })

  test(
    'of a binary file that attributes show as text holds no NUL',
    { tags: 'large' },
    async () => {
      using folder = repository()
      const base = gitIn(folder.path, 'rev-parse', 'HEAD')
      commit(folder.path, '.gitattributes', '*.bin diff\n')
      commit(folder.path, 'image.bin', 'a\0b\n')
      const { files } = await readRunDiff(folder.path, { baseSha: base, branch: 'main' }, asItIs)
      const patch = files.at(-1)?.patch
      expect(patch).toContain('+a\ufffdb')
      expect(patch).not.toContain('\0')
    },
  )

  test('names no more files than the service takes, and says so', { tags: 'large' }, async () => {
    using folder = repository()
    // never written out, which a busy disk would take long for: the run removed them
    commitMany(folder.path, limits.runFiles)
    const base = gitIn(folder.path, 'rev-parse', 'HEAD')
    writeFileSync(join(folder.path, 'one more.txt'), '')
    const diff = await readRunDiff(folder.path, { baseSha: base, branch: 'main' }, asItIs)
    expect(diff.files).toHaveLength(limits.runFiles)
    expect(diff).toMatchObject({ truncated: true, complete: false })
  })

  test(
    'is not complete on another branch than the run’s, nor with a name that is masked',
    { tags: 'large' },
    async () => {
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
    },
  )

  test('leaves out a patch that is too large, and names its file', { tags: 'large' }, async () => {
    using folder = repository()
    const baseSha = gitIn(folder.path, 'rev-parse', 'HEAD')
    writeFileSync(join(folder.path, 'a.txt'), 'small\n')
    writeFileSync(join(folder.path, 'b.txt'), Buffer.alloc(65 * 1024 * 1024, 'x'))
    const diff = await readRunDiff(folder.path, { baseSha, branch: 'main' }, asItIs)
    expect(diff).toMatchObject({ truncated: true, complete: true })
    expect(diff.files).toEqual([
      {
        filePath: 'a.txt',
        additions: 1,
        deletions: 0,
        patch: expect.stringMatching(/^diff --git a\/a\.txt [^]*\+small\n$/) as string,
      },
      { filePath: 'b.txt', additions: 1, deletions: 0 },
    ])
  })

  test(
    'has each patch at its own path, whatever Git makes of names',
    { tags: 'large' },
    async () => {
      using folder = repository()
      writeFileSync(join(folder.path, 'link'), 'text\n')
      gitIn(folder.path, 'add', '--all')
      gitIn(folder.path, 'commit', '--quiet', '-m', 'A file')
      const baseSha = gitIn(folder.path, 'rev-parse', 'HEAD')
      rmSync(join(folder.path, 'link'))
      symlinkSync('README.md', join(folder.path, 'link'))
      const names = ['a b/c b/a', 'tab\there', 'quote"d', 'back\\slash', 'ä\nline']
      for (const name of names) {
        mkdirSync(join(folder.path, name, '..'), { recursive: true })
        writeFileSync(join(folder.path, name), `diff --git a/x b/x\n${name.length}\n`)
      }
      const { files } = await readRunDiff(folder.path, { baseSha, branch: 'main' }, asItIs)
      expect(files.map(({ filePath }) => filePath).toSorted()).toEqual(
        [...names, 'link'].toSorted(),
      )
      const endOf = (filePath: string) => `+diff --git a/x b/x\n+${filePath.length}\n`
      expect(files.map(({ patch = '' }) => patch.match(/^diff --git /gm)?.length)).toEqual(
        files.map(({ filePath }) => (filePath === 'link' ? 2 : 1)),
      )
      const written = files.filter(({ filePath }) => filePath !== 'link')
      for (const { filePath, patch = '' } of written) {
        expect(patch.endsWith(endOf(filePath))).toBe(true)
      }
    },
  )

  test('has the patches that there is room for, one by one', { tags: 'large' }, () => {
    const patchOf = (path: string, bytes: number) =>
      `diff --git a/${path} b/${path}\n+${'x'.repeat(bytes)}\n`
    const paths = Array.from({ length: 40 }, (_, n) => `f${n}`)
    const all = Buffer.from(paths.map((path) => patchOf(path, 500_000)).join(''))
    const patches = openPatches(asItIs)
    for (let at = 0; at < all.length; at += 65_521) patches.add(all.subarray(at, at + 65_521))
    const found = patches.end(false)
    expect([...found.keys()]).toEqual(paths.slice(0, 33))
    for (const [path, patch] of found) expect(patch).toBe(patchOf(path, 500_000))
    const cut = openPatches(asItIs)
    cut.add(Buffer.from(`${patchOf('a', 1)}${patchOf('b', 1)}`))
    expect([...cut.end(true).keys()]).toEqual(['a'])
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
