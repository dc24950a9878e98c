import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Of a file beside the folder. */
const image = `truncate -s "$1M" "$0.image" && mkfs.ext4 -q -m 0 "$0.image" && mount -o loop "$0.image" "$0" &&
  chmod 755 "$0"`
/** The kernel at times holds a process for a minute that ends while such a disk is full: for want of the other alone. */
const memory = 'mount -t tmpfs -o "size=$1m,mode=755" tmpfs "$0"'

/** Only root, where it may mount, can make a disk that is small enough to be filled. Asked in a name space of its own. */
export const canMakeDisk =
  process.platform === 'linux' &&
  spawnSync('unshare', ['--mount', 'sh', '-c', memory, '/mnt', '1']).status === 0

export interface Disk extends Disposable {
  /** Writes until not one byte more goes on it. */
  fill: () => void
  /** Takes away what `fill` wrote. */
  empty: () => void
}

/** A disk of this size, in a new folder. */
export function makeDisk(at: string, megabytes: number): Disk {
  mkdirSync(at)
  const mount = (script: string) => spawnSync('sh', ['-c', script, at, String(megabytes)]).status
  if (mount(image) !== 0 && mount(memory) !== 0) throw new Error(`no disk could be made at ${at}`)
  const filler = join(at, 'filler')
  return {
    fill: () => fill(filler),
    empty: () => rmSync(filler, { force: true }),
    [Symbol.dispose]: () => {
      spawnSync('umount', ['--lazy', at])
      rmSync(`${at}.image`, { force: true })
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
