import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddedPostgresError, systemCode } from './errors.ts'
import { isAlive, readStartTime } from './process-identity.ts'

const lockName = /^lock\.(\d+)\.(.+)$/

/**
 * One process at a time on a folder. Each announces itself by a file whose name is its pid and start time, then looks
 * for others that live: of two at once at least one sees the other and steps back, and a dead one's file counts for
 * nothing, so there is no stale lock to take over. It is not the lock of packages/process, because a process of an
 * older version looks for these names alone, and they name the boot as well.
 */
export async function acquireLock(folder: string): Promise<Disposable> {
  for (let attempt = 1; ; attempt++) {
    const holder = announce(folder)
    if (typeof holder !== 'number') return holder
    if (attempt === 4) throw lockedBy(folder, holder)
    await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 100))
  }
}

/** The lock, or the pid of the process that holds it. */
function announce(folder: string): Disposable | number {
  const file = join(folder, `lock.${process.pid}.${readStartTime(process.pid)}`)
  try {
    writeFileSync(file, '', { flag: 'wx' })
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return process.pid
    throw error
  }
  const release = (): void => rmSync(file, { force: true })
  const holder = findOtherHolder(folder)
  if (holder === undefined) return { [Symbol.dispose]: release }
  release()
  return holder
}

function findOtherHolder(folder: string): number | undefined {
  for (const name of readdirSync(folder)) {
    const [, pid, startedAt] = lockName.exec(name) ?? []
    if (pid === undefined || startedAt === undefined || Number(pid) === process.pid) continue
    if (isAlive({ pid: Number(pid), startedAt })) return Number(pid)
    rmSync(join(folder, name), { force: true })
  }
  return undefined
}

function lockedBy(folder: string, pid: number): EmbeddedPostgresError {
  const who = pid === process.pid ? 'by this process already' : `by process ${pid}`
  const message = `The database folder ${folder} is in use ${who}: stop it first, or choose another folder.`
  return new EmbeddedPostgresError('locked', message)
}
