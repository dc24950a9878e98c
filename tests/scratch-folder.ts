import { readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** More than the databases, repositories and homes of all tests that run at once. */
const enough = 6 * 1024 ** 3

/**
 * Where tests put what they throw away: in memory where there is room, because some hundred databases and repositories
 * are made and removed, and a disk keeps account of each of their files.
 */
export function scratchFolder(): string {
  const inMemory = '/dev/shm'
  return process.platform === 'linux' && isFit(inMemory) ? inMemory : tmpdir()
}

/** Programs are started from there, too. */
function isFit(folder: string): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
    const options = mounts.map((line) => line.split(' ')).findLast(([, at]) => at === folder)?.[3]
    if (options === undefined || options.split(',').includes('noexec')) return false
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= enough
  } catch {
    return false
  }
}
