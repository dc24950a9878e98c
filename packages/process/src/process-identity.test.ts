import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { isAlive, parseStat, readProcess } from './process-identity.ts'

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
