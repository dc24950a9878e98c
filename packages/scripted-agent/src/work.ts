import { execFile } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

export interface Work {
  /** Relative to the working directory. */
  file: string
  commit: string | undefined
}

const author = ['-c', 'user.name=svc scripted agent', '-c', 'user.email=scripted-agent@localhost']

/** Adds a line to a file of its own; in a repository it commits that file on the branch that is checked out. */
export async function doWork(folder: string, title: string): Promise<Work> {
  const file = 'scripted-agent.md'
  appendFileSync(join(folder, file), `- ${title}\n`)
  if (!(await isRepository(folder))) return { file, commit: undefined }
  await git(folder, 'add', '--', file)
  await git(folder, ...author, 'commit', '--no-gpg-sign', '-m', title, '--', file)
  return { file, commit: await git(folder, 'rev-parse', 'HEAD') }
}

async function isRepository(folder: string): Promise<boolean> {
  return git(folder, 'rev-parse', '--is-inside-work-tree').then(
    (answer) => answer === 'true',
    () => false,
  )
}

async function git(cwd: string, ...args: string[]): Promise<string> {
  return (await execute('git', args, { cwd })).stdout.trim()
}
