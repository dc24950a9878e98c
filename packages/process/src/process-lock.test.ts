import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isAlive, readProcess } from './process-identity.ts'
import { freeLock, readLock, takeLock } from './process-lock.ts'
import { UnusableFile } from './untrusted-file.ts'

const never = () => false
const isStale = (holder: object) => !isAlive({ pid: 0, startedAt: '', ...holder })
const counterMain = fileURLToPath(new URL('./testing/count-under-lock.ts', import.meta.url))

const temporaryFolder = () => mkdtempDisposableSync(join(tmpdir(), 'svc-lock-'))

/** A lock whose file holds that text. */
function leaveLock(path: string, text: string): void {
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, `${randomUUID()}.json`), text)
}

test('a lock is held by one until it is freed by its holder', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'lock')
  expect(takeLock(path, { by: 1 }, never)).toEqual({ taken: true })
  expect(takeLock(path, { by: 2 }, never)).toEqual({ taken: false, holder: { by: 1 } })
  freeLock(path, (holder) => holder['by'] === 2)
  expect(readLock(path)).toEqual({ by: 1 })
  freeLock(path, (holder) => holder['by'] === 1)
  expect(readdirSync(folder.path)).toEqual([])
  expect(takeLock(path, { by: 2 }, never)).toEqual({ taken: true })
})

test.each([
  ['is cut off', (path: string) => leaveLock(path, 'cut off in the mid')],
  ['was being removed', (path: string) => mkdirSync(path)],
  ['is a file, as an older version made them', (path: string) => writeFileSync(path, '{}')],
])('a stale lock that %s is taken over and leaves nothing behind', (_what, leave) => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'lock')
  leave(path)
  expect(takeLock(path, { by: 2 }, (holder) => holder['by'] === undefined)).toEqual({ taken: true })
  expect(readdirSync(folder.path)).toEqual(['lock'])
  expect(readdirSync(path)).toHaveLength(1)
})

/** Starts a process that counts under the lock in that folder until it is killed. */
function startCounting(folder: string): Disposable {
  const argv = [counterMain, ...['lock', 'counter', 'notes'].map((name) => join(folder, name))]
  const child = spawn(process.execPath, argv, { stdio: 'ignore' })
  return { [Symbol.dispose]: () => void child.kill('SIGKILL') }
}

function readNotes(folder: string): string[] {
  return readFileSync(join(folder, 'notes'), 'utf8').split('\n').slice(0, -1)
}

function countingFolder() {
  const folder = temporaryFolder()
  writeFileSync(join(folder.path, 'counter'), '0')
  writeFileSync(join(folder.path, 'notes'), '')
  return folder
}

test('who judges late takes nothing from the one that was faster', async () => {
  using folder = countingFolder()
  using _ = startCounting(folder.path)
  await expect.poll(() => readNotes(folder.path).length).toBeGreaterThan(0)
  const path = join(folder.path, 'lock')
  const dead = { pid: 1, startedAt: 'never' }
  const faster = { ...readProcess(process.pid), by: 'faster' }
  const late = { ...readProcess(process.pid), by: 'late' }
  const held: unknown[] = []
  while (held.length < 60) {
    while (!takeLock(path, dead, isStale).taken);
    let overtaken = false
    takeLock(path, late, (holder) => {
      if (!isStale(holder)) return false
      overtaken ||= takeLock(path, faster, isStale).taken
      return true
    })
    if (overtaken) held.push(readLock(path)?.['by'])
    freeLock(path, ({ pid }) => pid === process.pid)
  }
  expect(new Set(held)).toEqual(new Set(['faster']))
})

test(
  'processes that are killed as they hold it never make two hold it',
  { tags: 'large' },
  async () => {
    using folder = countingFolder()
    using counting = new DisposableStack()
    const start = () => void counting.use(startCounting(folder.path))
    for (let started = 0; started < 3; started += 1) start()
    for (let killed = 0; killed < 6; killed += 1) {
      const before = readNotes(folder.path).length
      const more = () => readNotes(folder.path).length - before
      await expect.poll(more, { interval: 5 }).toBeGreaterThan(10)
      let holder: unknown
      while (typeof holder !== 'number') holder = readLock(join(folder.path, 'lock'))?.['pid']
      process.kill(holder, 'SIGKILL')
      start()
    }
    const noted = readNotes(folder.path)
    expect(new Set(noted).size).toBe(noted.length)
  },
)

test.each([
  ['a link that leads nowhere', (path: string) => symlinkSync('/nonexistent/lock', path)],
  ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
  ['a folder of folders', (path: string) => mkdirSync(join(path, 'inner'), { recursive: true })],
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
  leaveLock(path, '')
  const comesBack = () => {
    leaveLock(path, '')
    return true
  }
  expect(() => takeLock(path, { by: 1 }, comesBack)).toThrow('belongs to nobody')
})
