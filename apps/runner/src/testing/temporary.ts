import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TemporaryFolder extends Disposable {
  readonly path: string
}

export function temporaryFolder(): TemporaryFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'svc-runner-')))
  return {
    path,
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/** A pipe in place of a file; whoever waits for it is given that text. */
export function pipeIn(path: string, text: string): Disposable {
  rmSync(path, { force: true })
  execFileSync('mkfifo', [path])
  // whoever reads has come to its end before the next one begins
  const script = 'while :; do printf %s "$1" > "$0"; sleep 1; done'
  const feeder = spawn('/bin/sh', ['-c', script, path, text], { stdio: 'ignore' })
  return { [Symbol.dispose]: () => void feeder.kill('SIGKILL') }
}

/** Runs Git as somebody with a name and without the settings of this machine. */
export function gitIn(folder: string, ...args: string[]): string {
  const person = ['-c', 'user.name=Alice', '-c', 'user.email=alice@example.com']
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  return execFileSync('git', [...person, ...args], { cwd: folder, env, encoding: 'utf8' }).trim()
}

/** A repository with one commit on main. */
export function makeRepository(folder: string): string {
  gitIn(folder, 'init', '--quiet', '--initial-branch=main')
  writeFileSync(join(folder, 'README.md'), '# Web\n')
  gitIn(folder, 'add', '.')
  gitIn(folder, 'commit', '--quiet', '-m', 'Begin')
  return folder
}
