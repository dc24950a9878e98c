import * as fs from 'node:fs'

/** What stands at a path cannot be used; the message says what to do about it. */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile'
}

/**
 * The text of a file where an agent can write, or undefined when there is none: waits for no pipe, reads no more than
 * `mostBytes`, and follows a link only where a person may have put one. Throws UnusableFile for what is no such file.
 */
export function readUntrusted(
  path: string,
  mostBytes: number,
  { followLinks = false } = {},
): string | undefined {
  const handle = openUntrusted(path, followLinks)
  if (handle === undefined) return undefined
  try {
    const stat = fs.fstatSync(handle)
    if (!stat.isFile()) throw notRegular(path)
    if (stat.size > mostBytes) {
      throw new UnusableFile(`${path} is larger than ${mostBytes} bytes: remove it and try again.`)
    }
    const bytes = Buffer.alloc(stat.size)
    return bytes.toString('utf8', 0, fs.readSync(handle, bytes))
  } finally {
    fs.closeSync(handle)
  }
}

function openUntrusted(path: string, followLinks: boolean): number | undefined {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants
  try {
    return fs.openSync(path, O_RDONLY | O_NONBLOCK | (followLinks ? 0 : O_NOFOLLOW))
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT') return undefined
    // A link, and a socket.
    if (code === 'ELOOP' || code === 'ENXIO') throw notRegular(path, error)
    throw error
  }
}

function notRegular(path: string, cause?: unknown): UnusableFile {
  return new UnusableFile(`${path} is not a regular file: remove it and try again.`, { cause })
}

/** `ENOENT` and its like; undefined for errors that the system did not make. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
