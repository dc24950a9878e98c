import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname } from 'node:path'

/** Replaces the file in one step; after a power cut it holds the old text or the new, never a part. */
export function writeDurably(path: string, text: string, mode = 0o600): void {
  const draft = `${path}.${randomUUID()}.tmp`
  fs.writeFileSync(draft, text, { mode, flag: 'wx', flush: true })
  fs.renameSync(draft, path)
  syncFolder(dirname(path))
}

/** As `writeDurably`, and false when the file is there already. */
export function createDurably(path: string, text: string, mode = 0o600): boolean {
  const draft = `${path}.${randomUUID()}.tmp`
  fs.writeFileSync(draft, text, { mode, flag: 'wx', flush: true })
  try {
    fs.linkSync(draft, path)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    fs.rmSync(draft, { force: true })
  }
  syncFolder(dirname(path))
  return true
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
