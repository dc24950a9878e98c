import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from '@svc/process/untrusted-file'

export { errorCode }

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

export function syncFolder(folder: string): void {
  const handle = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}
