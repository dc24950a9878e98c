import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { checkoutState } from '../files/resources.ts'
import {
  commit,
  commitMany,
  uncommittedWork,
  missionBranch,
  ofMission,
  openRoot,
  recordedIn,
  repository,
} from '../testing/prepared.ts'
import { gitIn, temporaryFolder } from '@svc/testing/temporary'
import { isRepository } from './checkout.ts'
import { readRunDiff } from './diff.ts'
import { whyKept } from './kept-worktree.ts'
import { listWorktrees } from './worktrees.ts'

const root = openRoot()
afterAll(() => root[Symbol.dispose]())
const { prepare } = root

const filesThrough = (filter: string) => `*.bin filter=${filter}\n`

async function keptOf(checkout: string) {
  const worktree = (await listWorktrees(checkout)).find(({ isMain }) => !isMain)
  return worktree && (await whyKept(worktree, Date.now()))
}

/** Runs the work with the variables, which every Git of it inherits. */
async function withEnvironment<T>(variables: Record<string, string>, work: () => Promise<T>) {
  const before = { ...process.env }
  Object.assign(process.env, variables)
  try {
    return await work()
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name]
    Object.assign(process.env, before)
  }
}

describe('a repository with submodules', () => {
  function withSubmodule() {
    const library = repository()
    const folder = repository()
    const add = ['submodule', '--quiet', 'add', library.path, 'lib']
    gitIn(folder.path, '-c', 'protocol.file.allow=always', ...add)
    gitIn(folder.path, 'commit', '--quiet', '-m', 'Library')
    return { folder, library }
  }

  test('has them written out in the worktree, which stays for as long as Git keeps it', async () => {
    const { folder, library } = withSubmodule()
    using _ = folder
    using __ = library
    const config = join(folder.path, '.git', 'for-this-test')
    writeFileSync(config, '[protocol "file"]\n\tallow = always\n')
    const { at, warnings } = await withEnvironment({ GIT_CONFIG_GLOBAL: config }, () =>
      prepare(folder.path),
    )
    expect(warnings).toEqual([])
    expect(readFileSync(join(at, 'lib', 'README.md'), 'utf8')).toBe('# Web\n')
    expect(await keptOf(folder.path)).toEqual({
      because: 'it has submodules, and Git removes such a worktree by force alone',
      needsHand: true,
    })
  })

  test('that cannot be fetched has the run start without them, and say so', async () => {
    const { folder, library } = withSubmodule()
    using _ = folder
    library[Symbol.dispose]()
    const { warnings } = await prepare(folder.path)
    expect(warnings).toEqual([expect.stringContaining('Run git submodule update --init there')])
  })
})

describe('a repository with filters', () => {
  test('that are not set up on this machine is checked out with what they point to', async () => {
    using folder = repository()
    writeFileSync(join(folder.path, '.gitattributes'), filesThrough('lfs'))
    commit(folder.path, 'image.bin')
    const { at, warnings } = await prepare(folder.path)
    expect(warnings).toEqual([])
    expect(readFileSync(join(at, 'image.bin'), 'utf8')).toBe('image.bin\n')
  })

  test('that are required and missing fails in Git’s words, and again in the same place', async () => {
    using folder = repository()
    writeFileSync(join(folder.path, '.gitattributes'), filesThrough('lfs'))
    commit(folder.path, 'image.bin')
    gitIn(folder.path, 'config', 'filter.lfs.required', 'true')
    gitIn(folder.path, 'config', 'filter.lfs.smudge', 'no-such-filter')
    const failure = {
      code: 'branch_conflict',
      message: expect.stringMatching(
        `^Git makes no worktree of ${missionBranch} in resource web on laptop: .*smudge filter lfs failed. Put that right`,
      ),
    }
    await expect(prepare(folder.path)).rejects.toMatchObject(failure)
    await expect(prepare(folder.path)).rejects.toMatchObject(failure)
    expect(gitIn(folder.path, 'branch', '--format=%(refname:short)')).toBe('main')
    gitIn(folder.path, 'config', '--unset', 'filter.lfs.smudge')
    gitIn(folder.path, 'config', 'filter.lfs.required', 'false')
    expect((await prepare(folder.path)).branch).toBe(missionBranch)
  })
})

describe('a hook', () => {
  test('that refuses the branch is named in its own words', async () => {
    using folder = repository()
    const hook = join(folder.path, '.git', 'hooks', 'reference-transaction')
    writeFileSync(hook, '#!/bin/sh\necho ask Bob first >&2\nexit 1\n', { mode: 0o755 })
    await expect(prepare(folder.path)).rejects.toMatchObject({
      code: 'branch_conflict',
      message: expect.stringContaining('ask Bob first'),
    })
  })

  test('that fails without a word is a warning without a path of this machine', async () => {
    using folder = repository()
    writeFileSync(join(folder.path, '.git', 'hooks', 'post-checkout'), '#!/bin/sh\nexit 1\n', {
      mode: 0o755,
    })
    const { warnings } = await prepare(folder.path)
    expect(warnings).toEqual([
      `A hook of worktree ${missionBranch} of resource web on laptop failed: it did not say why`,
    ])
  })
})

describe('a linked checkout', () => {
  test('that is a worktree of the person is left alone', async () => {
    using folder = repository()
    using other = temporaryFolder()
    const theirs = join(other.path, 'theirs')
    gitIn(folder.path, 'worktree', 'add', '--quiet', '-b', 'mine', theirs)
    writeFileSync(join(theirs, 'half.txt'), 'mine')
    expect(await prepare(theirs)).toMatchObject({ kind: 'worktree', branch: missionBranch })
    expect(gitIn(theirs, 'status', '--porcelain', '--branch')).toBe('## mine\n?? half.txt')
  })

  test('that is a worktree of a bare repository is as good as any', async () => {
    using folder = repository()
    using other = temporaryFolder()
    const [bare, theirs] = [join(other.path, 'bare.git'), join(other.path, 'of-bare')]
    gitIn(other.path, 'clone', '--quiet', '--bare', folder.path, bare)
    gitIn(bare, 'worktree', 'add', '--quiet', theirs, 'main')
    expect(await prepare(theirs)).toMatchObject({ kind: 'worktree', branch: missionBranch })
  })

  test('that is bare is none', async () => {
    using folder = temporaryFolder()
    gitIn(folder.path, 'init', '--quiet', '--bare')
    expect(checkoutState(folder.path)).toBe('not_a_repository')
    expect(await isRepository(folder.path)).toBe(false)
  })

  test('through a link is the folder that it leads to', async () => {
    using folder = repository()
    using other = temporaryFolder()
    const link = join(other.path, 'linked')
    symlinkSync(folder.path, link)
    gitIn(folder.path, 'switch', '--quiet', '--create', missionBranch)
    const prepared = await prepare(link, ofMission(recordedIn(folder.path)))
    expect(prepared).toMatchObject({ kind: 'own', at: folder.path })
  })

  test('of another user is refused with what to do', async () => {
    using folder = repository()
    using bin = temporaryFolder()
    const path = process.env['PATH'] ?? ''
    const script = `#!/bin/sh\nPATH='${path}' GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec git "$@"\n`
    writeFileSync(join(bin.path, 'git'), script)
    chmodSync(join(bin.path, 'git'), 0o755)
    const variables = { PATH: `${bin.path}:${path}`, GIT_CONFIG_GLOBAL: '/dev/null' }
    await withEnvironment(variables, () =>
      expect(prepare(folder.path)).rejects.toMatchObject({
        code: 'bad_working_directory',
        message: expect.stringContaining('--add safe.directory'),
      }),
    )
  })

  test('in which a Git was killed does not keep a run from its worktree', async () => {
    using folder = repository()
    const locks = ['index.lock', 'HEAD.lock', 'config.lock']
    for (const name of locks) writeFileSync(join(folder.path, '.git', name), '')
    expect(await prepare(folder.path)).toMatchObject({ kind: 'worktree', warnings: [] })
    for (const name of locks) expect(existsSync(join(folder.path, '.git', name))).toBe(true)
  })

  test('with a sparse checkout has worktrees as sparse, and every new file in the diff', async () => {
    using folder = repository()
    for (const name of ['api', 'web']) {
      mkdirSync(join(folder.path, name))
      commit(folder.path, join(name, 'index.txt'))
    }
    gitIn(folder.path, 'sparse-checkout', 'set', 'web')
    expect(gitIn(folder.path, 'config', 'extensions.worktreeConfig')).toBe('true')
    const { at, baseSha } = await prepare(folder.path)
    expect(existsSync(join(at, 'web', 'index.txt'))).toBe(true)
    expect(existsSync(join(at, 'api'))).toBe(false)
    mkdirSync(join(at, 'api'))
    writeFileSync(join(at, 'api', 'new.txt'), 'new\n')
    const run = { baseSha, branch: missionBranch }
    const diff = await readRunDiff(at, run, (text) => text)
    expect(diff).toMatchObject({ complete: true, files: [{ filePath: 'api/new.txt' }] })
  })
})

test('thousands of files are written out, and each of them is named when a run removed them', async () => {
  using folder = repository()
  commitMany(folder.path, 3_000)
  const { at, baseSha } = await prepare(folder.path)
  expect(readdirSync(join(at, 'many'))).toHaveLength(3_000)
  rmSync(join(at, 'many'), { recursive: true })
  const diff = await readRunDiff(at, { baseSha, branch: missionBranch }, (text) => text)
  expect(diff).toMatchObject({ truncated: false, complete: true, dirty: true })
  expect(diff.files).toHaveLength(3_000)
  expect(await uncommittedWork(at)).toEqual([
    expect.stringMatching(/many\/0\.txt, .* and 2995 more/),
  ])
})

test('a repository that an agent began in its worktree keeps no other change out of the diff', async () => {
  using folder = repository()
  const { at, baseSha } = await prepare(folder.path)
  mkdirSync(join(at, 'nested'))
  gitIn(join(at, 'nested'), 'init', '--quiet')
  writeFileSync(join(at, 'nested', 'inner.txt'), 'inner\n')
  writeFileSync(join(at, 'outer.txt'), 'outer\n')
  const diff = await readRunDiff(at, { baseSha, branch: missionBranch }, (text) => text)
  expect(diff).toMatchObject({ complete: false, files: [{ filePath: 'outer.txt' }] })
})

test('branches with slashes have worktrees below each other', async () => {
  using folder = repository()
  for (const name of ['release/1.x', 'feature/x']) gitIn(folder.path, 'branch', name)
  const recorded = recordedIn(folder.path, { branch: 'feature/x' })
  const wanted = { defaultBranch: 'release/1.x', ...ofMission(recorded) }
  const first = await prepare(folder.path, wanted)
  const second = await prepare(folder.path, { ...wanted, olderSiblings: 1 })
  expect([first, second].map(({ branch }) => branch)).toEqual(['feature/x', 'feature/x-k7qd'])
  expect(first.at).toMatch(/feature\/x$/)
})
