import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Makes a disk of a file that lies on a disk: the kernel would hold up a file in memory as it does a disk of memory. It
 * has no journal, which the kernel would write out before each refusal of a full disk, in the hope of room.
 */
const image = `truncate -s "$1M" "$2" && mkfs.ext4 -q -m 0 -O ^has_journal "$2" && mount -o loop "$2" "$0" && chmod 755 "$0"`
/** The kernel at times holds a process for a minute that ends while such a disk is full: for want of the other alone. */
const memory = 'mount -t tmpfs -o "size=$1m,mode=755" tmpfs "$0"'

/** Only root, where it may mount, can make a disk that is small enough to be filled. Asked in a name space of its own. */
export const canMakeDisk =
  process.platform === 'linux' &&
  spawnSync('unshare', ['--mount', 'sh', '-c', memory, '/mnt', '1']).status === 0

export interface Disk extends Disposable {
  /** Writes until not one byte more goes on it. */
  fill: () => void
  /** Removes what `fill` wrote. */
  empty: () => void
}

/** A disk of this size, in a new folder. */
export function makeDisk(at: string, megabytes: number): Disk {
  mkdirSync(at)
  // what others have written goes to the same disk below, and this one would have to wait for all of it
  spawnSync('sync')
  const file = join('/var/tmp', `svc-test-${randomUUID()}.image`)
  const words = [at, String(megabytes), file]
  const mount = (script: string) => spawnSync('sh', ['-c', script, ...words]).status
  if (mount(image) !== 0 && mount(memory) !== 0) throw new Error(`no disk could be made at ${at}`)
  const filler = join(at, 'filler')
  return {
    fill: () => fill(filler),
    empty: () => rmSync(filler, { force: true }),
    [Symbol.dispose]: () => {
      spawnSync('umount', ['--lazy', at])
      rmSync(file, { force: true })
    },
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
