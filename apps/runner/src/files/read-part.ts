import { closeSync, openSync, readSync } from 'node:fs'

/** Up to so many bytes of a file of ours from there on; undefined where it cannot be read. */
export function readPart(file: string, from: number, most: number): Buffer | undefined {
  try {
    const handle = openSync(file, 'r')
    try {
      const buffer = Buffer.alloc(most)
      return buffer.subarray(0, readSync(handle, buffer, 0, most, from))
    } finally {
      closeSync(handle)
    }
  } catch {
    return undefined
  }
}
