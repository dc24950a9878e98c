import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const author = ['-c', 'user.name=A person', '-c', 'user.email=person@example.com']

/** A real Git repository with one commit on `main`. */
export interface Repository {
  path: string
  git: (...args: string[]) => string
}

export function createRepository(path: string): Repository {
  mkdirSync(path, { recursive: true })
  const git: Repository['git'] = (...args) =>
    execFileSync('git', [...author, ...args], { cwd: path, encoding: 'utf8' }).trim()
  git('init', '--quiet', '--initial-branch=main')
  writeFileSync(join(path, 'README.md'), '# A project\n')
  git('add', 'README.md')
  git('commit', '--quiet', '--no-gpg-sign', '-m', 'Begin')
  return { path, git }
}
