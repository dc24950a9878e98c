import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname } from 'node:path'

/** Replaces the file in one step; after a power cut it holds the old text or the new, never a part. */
export function writeDurably(path: string, text: string, mode = 0o600): void {
  withDraft(path, { text, mode }, (draft) => fs.renameSync(draft, path))
  syncFolder(dirname(path))
}

/** As `writeDurably`, and false when the file is there already. */
export function createDurably(path: string, text: string, mode = 0o600): boolean {
  try {
    withDraft(path, { text, mode }, (draft) => fs.linkSync(draft, path))
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
  syncFolder(dirname(path))
  return true
}

/** Nothing stays of a draft that became no file: on a full disk it would hold the last room. */
function withDraft(
  path: string,
  { text, mode }: { text: string; mode: number },
  finish: (draft: string) => void,
): void {
  const draft = `${path}.${randomUUID()}.tmp`
  try {
    fs.writeFileSync(draft, text, { mode, flag: 'wx', flush: true })
    finish(draft)
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

/** The file's text, or undefined when there is none. */
export function readIfThere(path: string): string | undefined {
  try {
    return fs.readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** What stands at a path cannot be used; the message says what to do about it. */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile'
}

/**
 * As `readIfThere` where an agent can write: waits for no pipe, reads no more than `mostBytes`, and follows a link only
 * where a person may have put one.
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

export function syncFolder(folder: string): void {
  const handle = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}

/** `ENOENT` and its like; undefined for errors that the system did not make. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
