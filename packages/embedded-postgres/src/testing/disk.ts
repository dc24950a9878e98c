import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const memory = (megabytes: number, at: string) => [
  'mount',
  '-t',
  'tmpfs',
  '-o',
  `size=${megabytes}m,mode=755`,
  'tmpfs',
  at,
]

/** Only root, where it may mount, can make a disk that is small enough to be filled. Asked in a name space of its own. */
export const canMakeDisk =
  process.platform === 'linux' &&
  spawnSync('unshare', ['--mount', ...memory(1, '/mnt')]).status === 0

export interface Disk extends Disposable {
  /** Writes until not one byte more goes on it. */
  fill: () => void
  /** Takes away what `fill` wrote. */
  empty: () => void
}

/** A disk of this size, in a new folder. */
export function makeDisk(at: string, megabytes: number): Disk {
  mkdirSync(at)
  const [program = '', ...args] = memory(megabytes, at)
  if (spawnSync(program, args).status !== 0) throw new Error(`no disk could be made at ${at}`)
  const filler = join(at, 'filler')
  return {
    fill: () => fill(filler),
    empty: () => rmSync(filler, { force: true }),
    [Symbol.dispose]: () => void spawnSync('umount', ['--lazy', at]),
  }
}

function fill(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (let size = 64 * 1024; size >= 1;) {
      try {
        writeSync(file, Buffer.alloc(size))
      } catch {
        size /= 2
      }
    }
  } finally {
    closeSync(file)
  }
}
