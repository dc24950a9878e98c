import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gitIn } from '@svc/testing/temporary'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changedFiles, digestOf } from './ledger.ts'

let folder: string
let base: string

const git = (...args: string[]) => gitIn(folder, ...args)

function put(path: string, text: string): void {
  writeFileSync(join(folder, path), text)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-ledger-'))
  git('init', '--quiet')
  mkdirSync(join(folder, 'src'))
  for (const name of ['kept', 'changed', 'removed']) put(name, `${name}\n`)
  put('src/old name', 'a line\n'.repeat(20))
  put('.gitignore', 'ignored\n')
  git('add', '.')
  git('commit', '--quiet', '-m', 'base')
  base = git('rev-parse', 'HEAD')
  put('committed', 'x\n')
  renameSync(join(folder, 'src/old name'), join(folder, 'src/new name'))
  git('add', '--all')
  git('commit', '--quiet', '-m', 'work')
  put('changed', 'other\n')
  rmSync(join(folder, 'removed'))
  put('new ünïcode', 'x\n')
  put('ignored', 'x\n')
})
afterAll(() => rmSync(folder, { recursive: true }))

test('the ledger holds what changed since the base, committed or not, without what Git ignores', async () => {
  expect(await changedFiles(join(folder, 'src'), base)).toEqual([
    { filePath: 'changed', vcsStatus: 'modified' },
    { filePath: 'committed', vcsStatus: 'added' },
    { filePath: 'new ünïcode', vcsStatus: 'untracked' },
    { filePath: 'removed', vcsStatus: 'deleted' },
    { filePath: 'src/new name', vcsStatus: 'renamed' },
  ])
})

test('another set of changes has another digest', async () => {
  const changes = await changedFiles(folder, base)
  expect(digestOf(changes)).toBe(digestOf(await changedFiles(folder, base)))
  expect(digestOf(changes)).not.toBe(digestOf(changes.slice(1)))
})

test('outside a repository there is an error for the caller to report', async () => {
  await expect(changedFiles(tmpdir(), base)).rejects.toThrow('git')
})
