import { lstatSync, mkdirSync, writeFileSync, appendFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { errorCode, readUntrusted } from '@svc/process/untrusted-file'
import { LaunchFailure } from '../launch-failure.ts'
import { git } from './git.ts'

const mostBytes = 1024 * 1024

/** Makes `.svc/tmp` in a working directory. A link in its place would lead our files elsewhere and is refused. */
export function openScratchFolder(workingDirectory: string): string {
  for (const name of ['.svc', join('.svc', 'tmp')]) {
    const path = join(workingDirectory, name)
    makeFolder(path)
    if (!lstatSync(path).isDirectory()) {
      throw new LaunchFailure(
        'bad_working_directory',
        `${path} is not a folder of its own: remove it and start the run again.`,
        'prepare',
      )
    }
  }
  return join(workingDirectory, '.svc', 'tmp')
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

/** Has Git pass over `.svc/` in this checkout without a change to any file of the project. */
export async function excludeScratchFolder(checkout: string): Promise<void> {
  const printed = await git(checkout, ['rev-parse', '--git-path', 'info/exclude'])
  const path = resolve(checkout, printed.trim())
  if (readOrEmpty(path).split('\n').includes('.svc/')) return
  mkdirSync(dirname(path), { recursive: true })
  const text = readOrEmpty(path)
  if (text === '') writeFileSync(path, '.svc/\n')
  else appendFileSync(path, `${text.endsWith('\n') ? '' : '\n'}.svc/\n`)
}

/** The file is its person's, and an agent can write where it lies. */
function readOrEmpty(path: string): string {
  return readUntrusted(path, mostBytes, { followLinks: true }) ?? ''
}
