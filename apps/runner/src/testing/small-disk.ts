import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Mounts a disk of 256 KiB there; only root can on most machines. */
export function mountSmallDisk(path: string): Disposable {
  mkdirSync(path, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', path], { stdio: 'ignore' })
  return {
    [Symbol.dispose]: () => execFileSync('umount', ['--lazy', path], { stdio: 'ignore' }),
  }
}

export function canMount(path: string): boolean {
  try {
    mountSmallDisk(path)[Symbol.dispose]()
    return true
  } catch {
    return false
  } finally {
    rmSync(path, { recursive: true, force: true })
  }
}

/** Keeps the disk of that folder full until it is disposed. */
export function keepFull(folder: string): Disposable {
  const path = join(folder, 'filler')
  const handle = openSync(path, 'a')
  const fill = () => {
    try {
      for (;;) writeSync(handle, Buffer.alloc(4096))
    } catch {
      // The disk is full.
    }
  }
  fill()
  const timer = setInterval(fill, 2)
  return {
    [Symbol.dispose]() {
      clearInterval(timer)
      closeSync(handle)
      rmSync(path)
    },
  }
}
