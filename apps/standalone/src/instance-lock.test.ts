import { mkdtempDisposableSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownIdentity } from '@svc/process/process-identity'
import { expect, test } from 'vitest'
import { lockInstance } from './instance-lock.ts'

const dead = JSON.stringify({ pid: process.pid, startedAt: 'never', url: 'http://localhost:1' })
const url = 'http://localhost:7420'

test.each([
  ['nothing', undefined],
  ['what a start left that has gone, whose pid another process has now', dead],
  ['half a file', '{"pid":'],
])('of starts at once upon %s one comes up, and the others hear where', async (_what, left) => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'svc-instance-'))
  const path = join(folder.path, 'app.json')
  if (left !== undefined) writeFileSync(path, left)
  const starts = await Promise.allSettled([1, 2, 3].map(() => lockInstance(path, url)))
  const [lock, ...more] = starts.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []))
  expect(more).toEqual([])
  const refused = starts.flatMap((it) => (it.status === 'rejected' ? [String(it.reason)] : []))
  expect(refused.map((said) => said.includes(url))).toEqual([true, true])
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ ...ownIdentity(), url })
  expect(readdirSync(folder.path)).toEqual(['app.json'])
  await lock?.[Symbol.asyncDispose]()
  expect(readdirSync(folder.path)).toEqual([])
})
