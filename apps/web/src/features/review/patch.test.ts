import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { filesOf, readRows } from './patch.ts'

type Files = Record<string, string | Buffer>

/** What Git prints of a change, in a repository that has `before` and is left with what `change` makes of it. */
function patchOf(before: Files, change: (write: (files: Files) => void, at: string) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-patch-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'core.autocrlf=false', ...args], { cwd: folder, encoding: 'utf8' })
  const write = (files: Files) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  }
  git('init', '--quiet')
  write(before)
  git('add', '--all')
  const tree = git('write-tree').trim()
  change(write, folder)
  git('add', '--all')
  return git('diff', '--cached', '--find-renames', tree)
}

describe('a patch of Git', () => {
  test('is its files, each with its lines and their numbers', () => {
    const lines = (...all: string[]) => `${all.join('\n')}\n`
    const patch = patchOf({ 'src/a.ts': lines('one', 'two', 'three'), 'b.ts': 'b\n' }, (write) =>
      write({ 'src/a.ts': lines('one', 'TWO', 'and more', 'three'), 'c.ts': 'c\n' }),
    )
    const [first, second] = filesOf(patch)
    expect(first).toMatchObject({ path: 'c.ts', change: 'added', isBinary: false })
    expect(second).toMatchObject({ path: 'src/a.ts', change: 'modified' })
    expect(readRows(second ?? { body: '' }).rows).toEqual([
      { type: 'hunk', text: '@@ -1,3 +1,4 @@' },
      { type: 'same', before: 1, after: 1, text: 'one' },
      { type: 'removed', before: 2, text: 'two' },
      { type: 'added', after: 2, text: 'TWO' },
      { type: 'added', after: 3, text: 'and more' },
      { type: 'same', before: 3, after: 4, text: 'three' },
    ])
  })

  test('says what was moved, deleted, made, emptied or made to run', { tags: 'large' }, () => {
    const long = Array.from({ length: 30 }, (_, index) => `line ${index}\n`).join('')
    const patch = patchOf(
      { 'old name.ts': long, 'gone.ts': 'x\n', 'run.sh': 'x\n' },
      (write, at) => {
        renameSync(join(at, 'old name.ts'), join(at, 'new name.ts'))
        rmSync(join(at, 'gone.ts'))
        execFileSync('chmod', ['755', 'run.sh'], { cwd: at })
        write({ 'new name.ts': `${long}one more\n`, 'empty file': '' })
      },
    )
    expect(
      filesOf(patch).map(({ body, ...rest }) => ({
        ...rest,
        rows: readRows({ body }).rows.length,
      })),
    ).toMatchInlineSnapshot(`
        [
          {
            "change": "added",
            "isBinary": false,
            "path": "empty file",
            "rows": 0,
          },
          {
            "change": "deleted",
            "isBinary": false,
            "path": "gone.ts",
            "rows": 2,
          },
          {
            "change": "renamed",
            "isBinary": false,
            "oldPath": "old name.ts",
            "path": "new name.ts",
            "rows": 5,
          },
          {
            "change": "modified",
            "isBinary": false,
            "mode": "100644 → 100755",
            "path": "run.sh",
            "rows": 0,
          },
        ]
      `)
  })

  test('says where no line ends a file', () => {
    const patch = patchOf({ 'a.txt': 'last' }, (write) => write({ 'a.txt': 'last\n' }))
    expect(filesOf(patch).map((file) => readRows(file).rows.slice(1))).toEqual([
      [
        { type: 'removed', before: 1, text: 'last' },
        { type: 'note', text: 'No newline at end of file' },
        { type: 'added', after: 1, text: 'last' },
      ],
    ])
  })

  test(
    'takes what looks like its own signs within a file for a line of it',
    { tags: 'large' },
    () => {
      const before = '-- a/x.ts\n@@ -1 +1 @@\ndiff --git a/x b/x\n'
      const after = '++ b/x.ts\n@@ -9 +9 @@\ndiff --git a/y b/y\n'
      const patch = patchOf({ 'a.sql': before }, (write) => write({ 'a.sql': after }))
      const files = filesOf(patch)
      expect(files.map(({ path }) => path)).toEqual(['a.sql'])
      const texts = files.flatMap((file) => readRows(file).rows.slice(1))
      expect(texts.map(({ text }) => `${text}\n`).join('')).toBe(before + after)
    },
  )

  test('keeps a carriage return, and a line of any length, as one line', () => {
    const huge = 'x'.repeat(300_000)
    const patch = patchOf({ 'a.js': '' }, (write) =>
      write({ 'a.js': `a\rdiff --git a/b b/b\u2028@@ c\r\n${huge}` }),
    )
    expect(filesOf(patch).flatMap((file) => readRows(file).rows.slice(1, 3))).toEqual([
      { type: 'added', after: 1, text: 'a\rdiff --git a/b b/b\u2028@@ c\r' },
      { type: 'added', after: 2, text: huge },
    ])
  })

  test('names a binary file, and one whose name has to be quoted', () => {
    const bytes = Buffer.from([0, 1, 2, 255])
    const name = 'gr\u00fc\u00dfe "b" \u202e.txt'
    const patch = patchOf({}, (write) => write({ 'a b.png': bytes, [name]: 'x\n', 'ü.bin': bytes }))
    expect(filesOf(patch).map(({ path, isBinary }) => ({ path, isBinary }))).toEqual([
      { path: 'a b.png', isBinary: true },
      { path: name, isBinary: false },
      { path: 'ü.bin', isBinary: true },
    ])
  })

  test('that is cut, empty or none is read as far as it goes', () => {
    expect(filesOf('')).toEqual([])
    expect(filesOf('no patch at all\n')).toEqual([])
    const [cut] = filesOf('diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n one\n-tw')
    const read = readRows(cut ?? { body: '' })
    expect(read.rows.map(({ text }) => text)).toEqual(['@@ -1,9 +1,9 @@', 'one', 'tw'])
    expect(read.isCut).toBe(true)
    expect(readRows({ body: '@@ -1,2 +1 @@\n-a\n' }).isCut).toBe(true)
    expect(readRows({ body: '@@ -1 +1 @@\n-a\n+b\n' })).toMatchObject({ isCut: false })
  })
})
