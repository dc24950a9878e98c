import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UnusableFile } from './durable-file.ts'
import { freeLock, readLock, takeLock } from './lock-file.ts'
import { temporaryFolder } from '../testing/temporary.ts'

const never = () => false

test('a lock is held by one until it is freed by its holder', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'lock')
  expect(takeLock(path, { by: 1 }, never)).toEqual({ taken: true })
  expect(takeLock(path, { by: 2 }, never)).toEqual({ taken: false, holder: { by: 1 } })
  freeLock(path, (holder) => holder['by'] === 2)
  expect(readLock(path)).toEqual({ by: 1 })
  freeLock(path, (holder) => holder['by'] === 1)
  expect(takeLock(path, { by: 2 }, never)).toEqual({ taken: true })
})

test('a stale lock is taken over and leaves nothing behind', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'lock')
  writeFileSync(path, 'cut off in the mid')
  expect(takeLock(path, { by: 2 }, (holder) => holder['by'] === undefined)).toEqual({ taken: true })
  expect(readdirSync(folder.path)).toEqual(['lock'])
})

test('a newer lock that took the place of a stale one is not lost', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'lock')
  writeFileSync(path, JSON.stringify({ by: 'dead' }))
  let judged = 0
  const taking = takeLock(path, { by: 'me' }, (holder) => {
    judged += 1
    if (judged === 1) writeFileSync(path, JSON.stringify({ by: 'other' }))
    return holder['by'] === 'dead'
  })
  expect(taking).toEqual({ taken: false, holder: { by: 'other' } })
})

test.each([
  ['a link that leads nowhere', (path: string) => symlinkSync('/nonexistent/lock', path)],
  ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
  ['a folder', (path: string) => mkdirSync(path)],
])('%s in place of a lock is refused and left alone', (_what, make) => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'lock')
  make(path)
  expect(() => takeLock(path, { by: 1 }, never)).toThrow(UnusableFile)
  expect(readLock(path)).toBeUndefined()
  freeLock(path, () => true)
  expect(readdirSync(folder.path)).toEqual(['lock'])
})

test('a lock that belongs to nobody yet always comes back is given up', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'lock')
  writeFileSync(path, '')
  let last = 0
  const comesBack = () => {
    writeFileSync(path, String((last += 1)))
    return true
  }
  expect(() => takeLock(path, { by: 1 }, comesBack)).toThrow('belongs to nobody')
})
