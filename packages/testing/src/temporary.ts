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

/** Runs Git as somebody with a name and without the settings of this machine. */
export function gitIn(folder: string, ...args: string[]): string {
  const person = ['-c', 'user.name=A person', '-c', 'user.email=person@example.com']
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  return execFileSync('git', [...person, ...args], { cwd: folder, env, encoding: 'utf8' }).trim()
}

export interface Repository {
  path: string
  git: (...args: string[]) => string
}

/** A real Git repository with one commit on `main`. */
export function createRepository(path: string): Repository {
  mkdirSync(path, { recursive: true })
  const git: Repository['git'] = (...args) => gitIn(path, ...args)
  git('init', '--quiet', '--initial-branch=main')
  writeFileSync(join(path, 'README.md'), '# Web\n')
  git('add', '.')
  git('commit', '--quiet', '-m', 'Begin')
  return { path, git }
}
