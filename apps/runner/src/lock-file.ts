import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { createDurably, readIfThere, writeDurably } from './durable-file.ts'

/** Who holds a lock, as the file says; a text that cannot be read as JSON belongs to nobody. */
export type LockContent = Record<string, unknown>

/**
 * Takes the lock at `path`, or says who holds it. A holder that `isStale` finds dead is put aside first; when the file
 * that was put aside turns out to be a newer one, it is put back.
 */
export function takeLock(
  path: string,
  mine: LockContent,
  isStale: (holder: LockContent) => boolean,
): { taken: true } | { taken: false; holder: LockContent } {
  for (;;) {
    if (createDurably(path, JSON.stringify(mine))) return { taken: true }
    const text = readIfThere(path)
    if (text === undefined) continue
    const holder = parse(text)
    if (!isStale(holder)) return { taken: false, holder }
    putAside(path, text)
  }
}

export function readLock(path: string): LockContent | undefined {
  const text = readIfThere(path)
  return text === undefined ? undefined : parse(text)
}

/** For the holder only. */
export function rewriteLock(path: string, mine: LockContent): void {
  writeDurably(path, JSON.stringify(mine))
}

/** Removes the lock if `isMine` says so of its holder. */
export function freeLock(path: string, isMine: (holder: LockContent) => boolean): void {
  const holder = readLock(path)
  if (holder !== undefined && isMine(holder)) fs.rmSync(path, { force: true })
}

function putAside(path: string, judged: string): void {
  const aside = `${path}.${randomUUID()}.stale`
  try {
    fs.renameSync(path, aside)
  } catch {
    return
  }
  if (readIfThere(aside) !== judged) putBack(aside, path)
  fs.rmSync(aside, { force: true })
}

function putBack(aside: string, path: string): void {
  try {
    fs.linkSync(aside, path)
  } catch {
    // Somebody has taken it in between: the lock is held, which is all that matters.
  }
}

function parse(text: string): LockContent {
  try {
    const value: unknown = JSON.parse(text)
    // A JSON value that is an object and no list has string keys.
    return typeof value === 'object' && value !== null ? (value as LockContent) : {}
  } catch {
    return {}
  }
}
