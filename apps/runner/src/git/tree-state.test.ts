import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createRepository, gitIn, temporaryFolder } from '@svc/testing/temporary'
import type { RunWorkingTree } from '../run/working-trees.ts'
import { readTreeState } from './tree-state.ts'

/** A working tree whose `git diff` does not end by itself, as on a disk that is too slow for what is there. */
function openSlow() {
  const stack = new DisposableStack()
  const { path: workingDirectory } = stack.use(temporaryFolder())
  createRepository(workingDirectory)
  const { path: bin } = stack.use(temporaryFolder())
  const path = process.env['PATH'] ?? ''
  const wait = 'for word; do [ "$word" = diff ] && exec sleep 600; done'
  const script = `#!/bin/sh\nPATH='${path}'\n${wait}\nexec git "$@"\n`
  writeFileSync(join(bin, 'git'), script, { mode: 0o755 })
  vi.stubEnv('PATH', `${bin}:${path}`)
  const head = gitIn(workingDirectory, 'rev-parse', 'HEAD')
  const branch = { branch: 'main', startSha: head, baseSha: head }
  const tree: RunWorkingTree = { resourceKey: 'web', workingDirectory, isOwn: true, ...branch }
  stack.defer(() => vi.unstubAllEnvs())
  return { trees: [tree], [Symbol.dispose]: () => stack.dispose() }
}

test('a working tree that cannot be read in time is one of which nothing is known', async () => {
  using slow = openSlow()
  const { signal } = new AbortController()
  const state = await readTreeState(slow.trees, { signal, withinMs: 300 })
  expect(state).toMatchObject({ dirty: true, digest: undefined, ignored: undefined })
})

test('whoever ends a look at a working tree hears so', async () => {
  using slow = openSlow()
  const ending = new AbortController()
  const looking = readTreeState(slow.trees, { signal: ending.signal, withinMs: 60_000 })
  ending.abort(new Error('the agent has ended'))
  await expect(looking).rejects.toThrow('the agent has ended')
})
