/** Folders and repositories that a test throws away. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TemporaryFolder extends Disposable {
  readonly path: string
}

/** What its name begins with where it stands for a person's own folders, whose names may have spaces. */
export const ofPerson = 'of a person '

/** A new folder that a database's own user can pass through. */
export function temporaryFolder(start = 'svc-test-'): TemporaryFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), start)))
  chmodSync(path, 0o711)
  return {
    path,
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** Of somebody with a name and without the settings of this machine. */
const gitEnvironment = () => ({
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'user.name',
  GIT_CONFIG_VALUE_0: 'A person',
  GIT_CONFIG_KEY_1: 'user.email',
  GIT_CONFIG_VALUE_1: 'person@example.com',
})

export function gitIn(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, env: gitEnvironment(), encoding: 'utf8' }).trim()
}

export interface Repository {
  path: string
  git: (...args: string[]) => string
}

/** A real Git repository with one commit on `main`. */
export function createRepository(path: string): Repository {
  mkdirSync(path, { recursive: true })
  const git: Repository['git'] = (...args) => gitIn(path, ...args)
  writeFileSync(join(path, 'README.md'), '# Web\n')
  // one process of three: each that a test starts costs what its memory would cost to copy
  const words = 'git init --quiet --initial-branch=main && git add . && git commit --quiet -m Begin'
  execFileSync('/bin/sh', ['-c', words], { cwd: path, env: gitEnvironment() })
  return { path, git }
}
