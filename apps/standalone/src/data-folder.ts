import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Fault, sentenceOf } from './fault.ts'

export const checkout = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '')

export interface DataFolder {
  path: string
  postgres: string
  runnerHome: string
  demoRepository: string
  ownerFile: string
  keysFile: string
  lockFile: string
  consumerFile: string
  logFile: string
  runnerLogFile: string
}

/** Everything that the standalone app keeps. What is secret lies in files that only their owner can read. */
export function openDataFolder(configured: string): DataFolder {
  const data = dataFolderAt(configured)
  const { path } = data
  try {
    makeFolder(path)
    fs.accessSync(path, fs.constants.W_OK | fs.constants.X_OK)
    probe(join(path, '.write-probe'))
  } catch (error) {
    if (sentenceOf(error) !== undefined) throw error
    throw new Fault(
      `The data folder ${path} cannot be written: give this user the right to it, or choose another with SVC_DATA_DIR.`,
      { cause: error },
    )
  }
  return data
}

/** Whether it is there or not. */
export function dataFolderAt(configured: string): DataFolder {
  const path = resolve(checkout, configured)
  const at = (name: string) => join(path, name)
  return {
    path,
    postgres: at('postgres'),
    runnerHome: at('runner'),
    demoRepository: at('demo-repository'),
    ownerFile: at('owner.json'),
    keysFile: at('secret-keys'),
    lockFile: at('app.json'),
    consumerFile: at('webhook-consumer.json'),
    logFile: at('svc.log'),
    runnerLogFile: at('runner.log'),
  }
}

/**
 * Node's own way to make a folder with those above it never returns below /proc. Others may pass through, whatever the
 * umask is: as root the database runs as another user.
 */
function makeFolder(path: string): void {
  if (fs.existsSync(path)) return
  makeFolder(dirname(path))
  fs.mkdirSync(path)
  fs.chmodSync(path, 0o711)
}

/** A read-only file system answers `access` with yes for root. Another start may have removed it in between. */
function probe(path: string): void {
  fs.writeFileSync(path, '')
  fs.rmSync(path, { force: true })
}

/** Written whole or not at all, readable by its owner alone. */
export function writePrivate(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`
  const file = fs.openSync(temporary, 'w', 0o600)
  try {
    fs.writeFileSync(file, text)
    fs.fsyncSync(file)
  } finally {
    fs.closeSync(file)
  }
  fs.renameSync(temporary, path)
}

export function readIfThere(path: string): string | undefined {
  try {
    return fs.readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new Fault(`${path} cannot be read: check who owns it.`, { cause: error })
  }
}

/** Made once; every token and lease hangs on it, so it goes with the database into any backup. */
export function readOrMakeKeys(data: DataFolder): string {
  const known = readIfThere(data.keysFile)?.trim()
  if (known) return known
  const made = `k1:${randomBytes(32).toString('base64')}`
  writePrivate(data.keysFile, `${made}\n`)
  return made
}
