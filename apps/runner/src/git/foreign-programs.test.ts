import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openRoot, repository } from '../testing/prepared.ts'
import { gitIn, temporaryFolder } from '@svc/testing/temporary'
import { dirtyFiles } from './checkout.ts'
import { readRunDiff } from './diff.ts'
import { GitError, git } from './git.ts'
import { commitOf, holdsCommit, holdsWork, resolveBase } from './refs.ts'

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
    { tags: 'large' },
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

  test(
    'starts no command that gets what a partial clone has left at its remote',
    { tags: 'large' },
    async () => {
      using trap = openTrap()
      const { checkout } = trap
      trap.set('core.repositoryformatversion', '1')
      trap.set('extensions.partialClone', 'its')
      trap.set('remote.its.promisor', 'true')
      trap.set('remote.its.url', trap.folder)
      trap.set('remote.its.uploadpack')
      const unknown = 'a'.repeat(40)
      const what = { baseSha: unknown, branch: 'main' }
      expect(await commitOf(checkout, unknown)).toBeUndefined()
      expect(await holdsCommit(checkout, 'main', unknown)).toBe(false)
      expect(await holdsWork(checkout, 'main', unknown)).toBe(false)
      await expect(readRunDiff(checkout, what, (text) => text)).rejects.toThrow(GitError)
      await lookAround(checkout)
      expect(existsSync(trap.seen)).toBe(false)
      expect(() => gitIn(checkout, 'cat-file', '-p', unknown)).toThrow('cat-file')
      expect(existsSync(trap.seen)).toBe(true)
    },
  )

  test('starts none of its submodules either', { tags: 'large' }, async () => {
    using trap = openTrap()
    using other = repository()
    const { checkout } = trap
    const from = ['-c', 'protocol.file.allow=always']
    gitIn(checkout, ...from, 'submodule', '--quiet', 'add', other.path, 'part')
    gitIn(checkout, 'commit', '--quiet', '-m', 'A part')
    gitIn(join(checkout, 'part'), 'config', 'core.fsmonitor', trap.program)
    writeFileSync(join(checkout, 'part', 'README.md'), 'changed\n')
    await lookAround(checkout)
    expect(existsSync(trap.seen)).toBe(false)
    gitIn(checkout, 'status')
    expect(existsSync(trap.seen)).toBe(true)
  })

  describe('to find out whether work has come in', { tags: 'large' }, () => {
    test.each([
      ['driver of its merges', 'merge.its=own.driver', 'merge=its=own'],
      ['filter of its merges', 'filter.its=own.clean', 'filter=its=own'],
    ])('starts no %s', async (_, setting, attribute) => {
      using trap = openTrap()
      const { checkout } = trap
      forkAndSquash(checkout)
      trap.set(setting)
      trap.set('merge.renormalize', 'true')
      trap.set('merge.default', 'its=own')
      writeFileSync(join(checkout, '.git', 'info', 'attributes'), `* ${attribute}\n`)
      expect(await holdsWork(checkout, 'main', 'work')).toBe(true)
      expect(existsSync(trap.seen)).toBe(false)
    })

    test('merges with what its person has set up for all repositories', async () => {
      using trap = openTrap()
      const { checkout } = trap
      forkAndSquash(checkout)
      const settings = join(trap.folder, 'gitconfig')
      gitIn(checkout, 'config', '--file', settings, 'merge.theirs.driver', trap.program)
      vi.stubEnv('GIT_CONFIG_GLOBAL', settings)
      onTestFinished(() => void vi.unstubAllEnvs())
      writeFileSync(join(checkout, '.git', 'info', 'attributes'), '* merge=theirs\n')
      await holdsWork(checkout, 'main', 'work')
      expect(existsSync(trap.seen)).toBe(true)
    })
  })
})

test(
  'a hook of a checkout runs, and sees no variable of the service',
  { tags: 'large' },
  async () => {
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
  },
)

test(
  'what checks out gets what a partial clone has left at its remote',
  { tags: 'large' },
  async () => {
    using folder = temporaryFolder()
    using origin = repository()
    gitIn(origin.path, 'config', 'uploadpack.allowFilter', 'true')
    gitIn(origin.path, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
    const checkout = join(folder.path, 'partial')
    const from = [
      '--quiet',
      '--filter=blob:none',
      '--no-checkout',
      `file://${origin.path}`,
      checkout,
    ]
    gitIn(folder.path, 'clone', ...from)
    using root = openRoot()
    const { at } = await root.prepare(checkout)
    expect(readFileSync(join(at, 'README.md'), 'utf8')).toBe('# Web\n')
  },
)

/** Work of a branch that main has as one commit, and has gone on from, in one file. */
function forkAndSquash(checkout: string): void {
  const lines = Array.from({ length: 12 }, (_, at) => `line ${at}`)
  const commit = (changed: string[]) => {
    writeFileSync(join(checkout, 'text.txt'), `${changed.join('\n')}\n`)
    gitIn(checkout, 'add', '.')
    gitIn(checkout, 'commit', '--quiet', '-m', changed.join(' '))
  }
  commit(lines)
  gitIn(checkout, 'switch', '--quiet', '--create', 'work')
  commit(lines.with(1, 'of the branch'))
  gitIn(checkout, 'switch', '--quiet', 'main')
  gitIn(checkout, 'merge', '--quiet', '--squash', 'work')
  commit(lines.with(1, 'of the branch').with(10, 'of main'))
}

/** All that a run asks of Git before and after its agent. */
async function lookAround(checkout: string): Promise<void> {
  const baseSha = gitIn(checkout, 'rev-parse', 'main')
  writeFileSync(join(checkout, 'README.md'), 'changed\n')
  writeFileSync(join(checkout, 'new.txt'), 'new\n')
  await dirtyFiles(checkout)
  await readRunDiff(checkout, { baseSha, branch: 'main' }, (text) => text)
  await git(checkout, ['rev-list', '--count', 'main'])
}
