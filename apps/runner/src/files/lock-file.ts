import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { UnusableFile, createDurably, readUntrusted } from './durable-file.ts'

/** Who holds a lock, as the file says; a text that cannot be read as JSON belongs to nobody. */
export type LockContent = Record<string, unknown>

const mostBytes = 64 * 1024
const mostTries = 100

/**
 * Takes the lock at `path`, or says who holds it. A holder that `isStale` finds dead is put aside first; when the file
 * that was put aside turns out to be a newer one, it is put back. Throws UnusableFile when something else than a lock
 * is in its place.
 */
export function takeLock(
  path: string,
  mine: LockContent,
  isStale: (holder: LockContent) => boolean,
): { taken: true } | { taken: false; holder: LockContent } {
  for (let tries = 0; tries < mostTries; tries += 1) {
    if (createDurably(path, JSON.stringify(mine))) return { taken: true }
    const text = readUntrusted(path, mostBytes)
    if (text === undefined) continue
    const holder = parse(text)
    if (!isStale(holder)) return { taken: false, holder }
    putAside(path, text)
  }
  throw new UnusableFile(`${path} belongs to nobody and stays: remove it and try again.`)
}

/** Undefined too when something else than a lock is in its place. */
export function readLock(path: string): LockContent | undefined {
  try {
    const text = readUntrusted(path, mostBytes)
    return text === undefined ? undefined : parse(text)
  } catch (error) {
    if (error instanceof UnusableFile) return undefined
    throw error
  }
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
  if (readUntrusted(aside, mostBytes) !== judged) putBack(aside, path)
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
