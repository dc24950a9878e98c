import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposableSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isAlive, parseStat, readProcess } from './process-identity.ts'
import { findLockHolder, freeProcessLock, takeProcessLock } from './process-lock.ts'

/** A system without /proc, whose `ps` is this script; none where there is no script. */
function openElsewhere(script?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-ps-'))
  const says = (words: string) =>
    writeFileSync(join(folder, 'ps'), `#!/bin/sh\n${words}\n`, { mode: 0o755 })
  if (script !== undefined) says(script)
  const platform = Object.getOwnPropertyDescriptor(process, 'platform')!
  const path = process.env['PATH']
  Object.defineProperty(process, 'platform', { ...platform, value: 'darwin' })
  process.env['PATH'] = folder
  return {
    says,
    [Symbol.dispose]: () => {
      Object.defineProperty(process, 'platform', platform)
      process.env['PATH'] = path
      rmSync(folder, { recursive: true })
    },
  }
}

describe('the identity of a process', () => {
  test('is found for ourselves and stays the same', () => {
    const self = readProcess(process.pid)
    expect(self?.pid).toBe(process.pid)
    expect(self && isAlive(self)).toBe(true)
  })

  test('is gone when the process has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    await once(child, 'spawn')
    const identity = readProcess(child.pid!)
    expect(identity).toBeDefined()
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(isAlive(identity!)).toBe(false)
  })

  test('is not that of another process with the same id', () => {
    expect(isAlive({ pid: process.pid, startedAt: 'another time' })).toBe(false)
  })

  test.skipIf(process.platform !== 'linux')('counts a zombie as gone', async () => {
    // The shell's child outlives the shell, and nobody reaps it, since exec put another program in the shell's place.
    const parent = spawn('sh', ['-c', 'sleep 1 & echo $!; exec sleep 30'])
    const [output] = await once(parent.stdout, 'data')
    const zombie = Number(String(output))
    await expect.poll(() => readProcess(zombie)).toBeUndefined()
    expect(() => process.kill(zombie, 0)).not.toThrow()
    parent.kill('SIGKILL')
  })

  test('is read past a command name with spaces and parentheses', () => {
    const fields = ['S', ...Array.from({ length: 18 }, (_, index) => String(index)), '4711', '0']
    expect(parseStat(`12 (a) b (c) ${fields.join(' ')}`)).toEqual({ state: 'S', startedAt: '4711' })
  })
})

const started = 'Sun Nov 29 16:12:01 2026'
const itself = { pid: process.pid, startedAt: started }

async function ended(): Promise<number> {
  const child = spawn('/bin/sh', ['-c', 'exit 0'])
  await once(child, 'exit')
  return child.pid!
}

describe('where the system has no /proc', () => {
  test('a process is known by what ps says of it', () => {
    using elsewhere = openElsewhere(`echo 'Ss+  ${started}'`)
    expect(readProcess(process.pid)).toEqual(itself)
    expect(isAlive(itself)).toBe(true)
    elsewhere.says(`echo 'Ss+  Sun Nov 29 17:00:00 2026'`)
    expect(isAlive(itself)).toBe(false)
    elsewhere.says(`echo 'Z    ${started}'`)
    expect(readProcess(process.pid)).toBeUndefined()
  })

  test('a process of which ps says nothing is gone', () => {
    using _ = openElsewhere('exit 1')
    expect(isAlive(itself)).toBe(false)
  })

  test.each([
    ['cannot be started', undefined],
    ['fails', 'exit 71'],
    ['is ended', 'kill -KILL $$'],
    ['says something else', 'echo busy'],
  ])('a process that is there is alive where ps %s', async (_what, script) => {
    using _ = openElsewhere(script)
    expect(readProcess(process.pid)).toEqual({ pid: process.pid, startedAt: '' })
    expect(isAlive(itself)).toBe(true)
    expect(readProcess(await ended())).toBeUndefined()
    // which would be this process's group, and every process
    expect([readProcess(0), readProcess(-1)]).toEqual([undefined, undefined])
  })
})

test('a lock that was taken while nobody knew when its holder had started is held until it is freed', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'svc-lock-'))
  const path = join(folder.path, 'lock')
  {
    using _ = openElsewhere('exit 71')
    expect(takeProcessLock(path)).toEqual({ taken: true })
    expect(findLockHolder(path)).toEqual({ pid: process.pid, startedAt: '' })
  }
  expect(takeProcessLock(path)).toMatchObject({ taken: false, holder: { pid: process.pid } })
  freeProcessLock(path)
  expect(takeProcessLock(path)).toEqual({ taken: true })
})
