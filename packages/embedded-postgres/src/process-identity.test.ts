import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isAlive, readStartTime, waitUntilGone } from './process-identity.ts'

function identify(pid: number) {
  return { pid, startedAt: readStartTime(pid) ?? 'gone' }
}

describe('a process is known by pid and start time', () => {
  test('a running one is alive until it has ended', async () => {
    const child = spawn('sleep', ['60'])
    await once(child, 'spawn')
    const identity = identify(child.pid ?? 0)
    expect(isAlive(identity)).toBe(true)
    child.kill('SIGKILL')
    expect(await waitUntilGone(identity, 10_000)).toBe(true)
  })

  test('one with the pid but another start time is not alive', () => {
    expect(isAlive({ pid: process.pid, startedAt: 'another' })).toBe(false)
  })

  test('a zombie is gone', async () => {
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'])
    const [line] = await once(parent.stdout, 'data')
    const identity = identify(Number.parseInt(String(line), 10))
    expect(identity.startedAt).not.toBe('gone')
    // the shell would reap it until it is replaced, which is seen where there is /proc
    const name = `/proc/${parent.pid}/comm`
    const isShell = () => existsSync(name) && readFileSync(name, 'utf8') !== 'sleep\n'
    await expect.poll(isShell).toBe(false)
    process.kill(identity.pid, 'SIGKILL')
    expect(await waitUntilGone(identity, 10_000)).toBe(true)
    expect(() => process.kill(identity.pid, 0)).not.toThrow()
    parent.kill('SIGKILL')
  })
})
