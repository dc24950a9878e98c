import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '@svc/testing/temporary'
import { programs } from './programs.ts'

const root = join(import.meta.dirname, '../../..')

/** A version of the programs, which can be run. */
export interface Version {
  main: (app: 'admin' | 'api' | 'cli' | 'dispatcher') => string
}

export const thisVersion: Version = { main: (app) => programs[app === 'cli' ? 'svc' : app] }

/**
 * The version that `tests/e2e/earlier-commit` names, in a folder of its own. It runs on the packages of others that this
 * checkout has installed: where these no longer suit it, the file names a later commit. Where a release is given, it says
 * that it is that one, and it takes no runner that is older.
 */
export function openEarlierVersion(release?: string): Version & Disposable {
  const commit = readFileSync(join(root, 'tests/e2e/earlier-commit'), 'utf8').trim()
  const folder = temporaryFolder()
  try {
    extract(commit, folder.path)
    for (const installed of globSync('{apps,packages}/*/node_modules', { cwd: root })) {
      shareInstalled(installed, folder.path)
    }
    if (release !== undefined) nameRelease(folder.path, release)
    symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'))
    const version = versionIn(folder.path)
    return { ...version, [Symbol.dispose]: () => folder[Symbol.dispose]() }
  } catch (error) {
    folder[Symbol.dispose]()
    throw error
  }
}

function versionIn(folder: string): Version {
  return { main: (app) => join(folder, 'apps', app, 'src/main.ts') }
}

function extract(commit: string, folder: string): void {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: root, stdio: 'pipe', maxBuffer: 2 ** 28 })
  try {
    git('cat-file', '-e', `${commit}^{commit}`)
  } catch {
    fetchAlone(git, commit)
  }
  const sources = git('archive', commit, 'package.json', 'apps', 'packages')
  execFileSync('tar', ['-x', '-C', folder], { input: sources })
}

/** A shallow clone has not got it. */
function fetchAlone(git: (...words: string[]) => unknown, commit: string): void {
  try {
    git('fetch', '--quiet', '--depth=1', 'origin', commit)
  } catch (cause) {
    throw new Error(
      `This clone does not have commit ${commit}, which tests/e2e/earlier-commit names as the version before, and cannot fetch it: run git fetch --unshallow.`,
      { cause },
    )
  }
}

/** Its links are relative: those to packages of others lead here, those to packages of ours stay in that version. */
function shareInstalled(installed: string, folder: string): void {
  const to = join(folder, installed)
  mkdirSync(dirname(to), { recursive: true })
  cpSync(join(root, installed), to, { recursive: true, verbatimSymlinks: true })
}

function nameRelease(folder: string, release: string): void {
  const file = join(folder, 'packages/contracts/src/version.ts')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/(?<=export const \w+ = ')[\d.]+(?=')/g, release))
}
