import { lstatSync, mkdirSync, readFileSync, writeFileSync, appendFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { errorCode } from '../files/durable-file.ts'
import { LaunchFailure } from '../launch-failure.ts'
import { git } from './git.ts'

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

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  }
}
