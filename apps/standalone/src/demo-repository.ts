import { execFile } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Fault } from './fault.ts'

const run = promisify(execFile)
const author = ['-c', 'user.name=svc', '-c', 'user.email=svc@localhost']

/** Asked before anything is started: without git no agent could work. */
export async function requireGit(): Promise<void> {
  await git(process.cwd(), '--version')
}

/** A real repository for the demonstration, made once: whole under its name, or not there. */
export async function ensureDemoRepository(path: string): Promise<void> {
  if (fs.existsSync(join(path, '.git'))) return
  const making = `${path}.${process.pid}.tmp`
  fs.rmSync(making, { recursive: true, force: true })
  fs.mkdirSync(making, { recursive: true })
  fs.writeFileSync(
    join(making, 'README.md'),
    '# Demonstration\n\nAgents of the demonstration mission work in this repository, each mission on its own branch.\n',
  )
  await git(making, 'init', '--quiet', '--initial-branch=main')
  await git(making, 'add', 'README.md')
  await git(
    making,
    ...author,
    'commit',
    '--quiet',
    '--no-gpg-sign',
    '-m',
    'Start the demonstration',
  )
  fs.renameSync(making, path)
}

async function git(cwd: string, ...args: string[]): Promise<void> {
  try {
    await run('git', args, { cwd })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Fault(
        'git is not installed: install it (for example apt-get install git), then start again.',
      )
    }
    throw new Fault(
      `git ${args[0]} failed in ${cwd}: ${error instanceof Error ? error.message.trim() : ''}`,
      {
        cause: error,
      },
    )
  }
}
