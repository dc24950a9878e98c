import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { digestOfSources } from './digest.ts'

const cache = join(import.meta.dirname, '../../.svc/cache/web')
const builder = join(import.meta.dirname, 'build.ts')

export interface Building {
  /** The folder that holds the built files. Rejects with what the build said, also where it was stopped. */
  folder: Promise<string>
  stop: () => void
}

/**
 * The folder of these very sources as they were built before, or a build of them. What is built `aside` leaves the processor
 * to whatever else there is to do; on a busy machine that may take minutes, which nobody must wait for.
 */
export function findOrBuild(how: 'aside' | 'awaited'): string | Building {
  const folder = join(cache, digestOfSources())
  return fs.existsSync(folder) ? folder : build(folder, how)
}

/** Into a folder next to the one that is meant, which is renamed when it is whole: another process may build, too. */
function build(folder: string, how: 'aside' | 'awaited'): Building {
  fs.mkdirSync(cache, { recursive: true })
  const next = fs.mkdtempSync(`${folder}-`)
  const child = spawn(process.execPath, [builder, next, 'quick'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (how === 'aside' && child.pid !== undefined) {
    setPriority(child.pid, constants.priority.PRIORITY_LOW)
  }
  let said = ''
  child.stderr.on('data', (part: Buffer) => (said = (said + part.toString()).slice(-2_000)))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  child.once('error', reject)
  child.once('exit', (code) => {
    if (code === 0) resolve()
    else reject(new Error(said.trim() || 'the process that builds the web app was ended'))
  })
  return {
    folder: promise
      .then(() => takeWhole(next, folder))
      .finally(() => fs.rmSync(next, { recursive: true, force: true })),
    stop: () => child.kill('SIGKILL'),
  }
}

/** What is under its name is whole: whoever comes second drops their own. */
function takeWhole(next: string, folder: string): string {
  try {
    fs.chmodSync(next, 0o755)
    fs.renameSync(next, folder)
  } catch (error) {
    if (!fs.existsSync(folder)) throw error
  }
  return folder
}
