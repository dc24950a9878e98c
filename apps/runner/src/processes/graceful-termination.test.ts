import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { atOnce, endRunProcesses, livesAny } from './graceful-termination.ts'

const marker = { requestId: '0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b05', generation: 1 }

test('the group of a leader that was written down without its start is ended', async () => {
  const leader = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
  await once(leader, 'spawn')
  onTestFinished(() => void leader.kill('SIGKILL'))
  const exited = once(leader, 'exit')
  const written = [{ pid: leader.pid!, startedAt: '' }]
  expect(livesAny(written, marker)).toBe(true)
  await endRunProcesses(written, marker, atOnce)
  expect(await exited).toEqual([null, 'SIGINT'])
  expect(livesAny(written, marker)).toBe(false)
})
