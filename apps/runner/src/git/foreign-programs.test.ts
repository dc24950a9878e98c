import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openRoot, repository } from '../testing/prepared.ts'
import { gitIn, temporaryFolder } from '../testing/temporary.ts'
import { dirtyFiles } from './checkout.ts'
import { readRunDiff } from './diff.ts'
import { git } from './git.ts'
import { resolveBase } from './refs.ts'

/** A repository whose configuration names a program, as an agent can write it, and what that program has seen. */
function openTrap() {
  const stack = new DisposableStack()
  const { path: checkout } = stack.use(repository())
  const { path: folder } = stack.use(temporaryFolder())
  const [program, seen] = [join(folder, 'program'), join(folder, 'seen')]
  writeFileSync(program, `#!/bin/sh\nenv >> '${seen}'\nexit 0\n`, { mode: 0o755 })
  return {
    checkout,
    folder,
    program,
    seen,
    set: (name: string, value = program) => gitIn(checkout, 'config', name, value),
    [Symbol.dispose]: () => stack.dispose(),
  }
}

describe('what only looks at a repository', () => {
  test.each(['core.fsmonitor', 'diff.external', 'core.pager', 'core.editor', 'gpg.program'])(
    'starts no program of its %s',
    async (name) => {
      using trap = openTrap()
      trap.set(name)
      await lookAround(trap.checkout)
      expect(existsSync(trap.seen)).toBe(false)
    },
  )

  test('starts no hook', async () => {
    using trap = openTrap()
    for (const hook of ['post-index-change', 'reference-transaction', 'pre-auto-gc']) {
      writeFileSync(join(trap.folder, hook), `#!/bin/sh\nenv >> '${trap.seen}'\n`, { mode: 0o755 })
    }
    trap.set('core.hooksPath', trap.folder)
    await lookAround(trap.checkout)
    expect(existsSync(trap.seen)).toBe(false)
  })

  test('starts no command that an address of its remote is', async () => {
    using trap = openTrap()
    trap.set('remote.origin.url', `ext::${trap.program}`)
    trap.set('protocol.ext.allow', 'always')
    await resolveBase(trap.checkout, 'main', {})
    expect(existsSync(trap.seen)).toBe(false)
  })
})

test('a hook of a checkout runs, and sees no variable of the service', async () => {
  vi.stubEnv('SVC_USER_TOKEN', 'hush-hush-hush')
  onTestFinished(() => void vi.unstubAllEnvs())
  using trap = openTrap()
  using root = openRoot()
  writeFileSync(join(trap.folder, 'post-checkout'), `#!/bin/sh\nenv >> '${trap.seen}'\n`, {
    mode: 0o755,
  })
  trap.set('core.hooksPath', trap.folder)
  await root.prepare(trap.checkout)
  const seen = readFileSync(trap.seen, 'utf8')
  expect(seen).toContain('GIT_')
  expect(seen).not.toContain('SVC_')
})

/** All that a run asks of Git before and after its agent. */
async function lookAround(checkout: string): Promise<void> {
  const baseSha = gitIn(checkout, 'rev-parse', 'main')
  writeFileSync(join(checkout, 'README.md'), 'changed\n')
  writeFileSync(join(checkout, 'new.txt'), 'new\n')
  await dirtyFiles(checkout)
  await readRunDiff(checkout, { baseSha, branch: 'main' }, (text) => text)
  await git(checkout, ['rev-list', '--count', 'main'])
}
