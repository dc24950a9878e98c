import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ProcessIdentity, isAlive, isSameProcess, ownIdentity } from './process-identity.ts'
import { UnusableFile, errorCode, readUntrusted } from './untrusted-file.ts'

/** Who holds a lock, as its file says; a text that cannot be read as JSON belongs to nobody. */
type LockContent = Record<string, unknown>

const mostBytes = 64 * 1024
const mostTries = 100
const pollMs = 50

/**
 * Takes the lock at `path` for this process, or says which living one holds it; this process itself is one, too. What
 * a dead one left is taken over. Throws UnusableFile when something else than a lock is in its place.
 */
export function takeProcessLock(
  path: string,
): { taken: true } | { taken: false; holder: ProcessIdentity } {
  const isStale = (content: unknown) => living(content) === undefined
  const taking = takeLock(path, { ...ownIdentity() }, isStale)
  return taking.taken ? taking : { taken: false, holder: ProcessIdentity.parse(taking.holder) }
}

/**
 * Takes the lock once nobody holds it. Throws UnusableFile as `takeProcessLock` does, and the signal's reason when it
 * aborts first.
 */
export async function awaitProcessLock(path: string, signal?: AbortSignal): Promise<void> {
  while (findLockHolder(path) !== undefined || !takeProcessLock(path).taken) {
    await sleep(pollMs, undefined, { signal }).catch(() => signal?.throwIfAborted())
  }
}

/** Removes the lock if this process holds it. */
export function freeProcessLock(path: string): void {
  const mine = ownIdentity()
  freeLock(path, (content) => {
    const holder = ProcessIdentity.safeParse(content)
    return holder.success && isSameProcess(holder.data, mine)
  })
}

/** The living process that holds the lock, if any. Undefined also where the path holds something that is no lock. */
export function findLockHolder(path: string): ProcessIdentity | undefined {
  return living(readLock(path))
}

function living(content: unknown): ProcessIdentity | undefined {
  const parsed = ProcessIdentity.safeParse(content)
  return parsed.success && isAlive(parsed.data) ? parsed.data : undefined
}

/**
 * Takes the lock for whom `mine` names, or says who holds it; a holder that `isStale` finds dead is removed first.
 *
 * A lock is a folder with one file, whose name is never used twice. It comes to its place whole, in one step, and only
 * where there is none or an empty one; what is removed of it is the very file that was judged. However late somebody
 * judges and removes, nobody else's lock is hit, so that two never hold it.
 */
export function takeLock(
  path: string,
  mine: LockContent,
  isStale: (holder: LockContent) => boolean,
): { taken: true } | { taken: false; holder: LockContent } {
  for (let tries = 0; tries < mostTries; tries += 1) {
    if (putInPlace(path, mine)) return { taken: true }
    for (const file of filesOf(path)) {
      const holder = readContent(file)
      if (holder === undefined) continue
      if (!isStale(holder)) return { taken: false, holder }
      remove(path, file)
    }
  }
  throw new UnusableFile(`${path} belongs to nobody and stays: remove it and try again.`)
}

/** Undefined too when something else than a lock is in its place. */
export function readLock(path: string): LockContent | undefined {
  for (const file of filesOf(path)) {
    const holder = readHolderFile(file)
    if (holder !== undefined) return holder
  }
  return undefined
}

/** Removes the lock if `isMine` says so of its holder. */
export function freeLock(path: string, isMine: (holder: LockContent) => boolean): void {
  for (const file of filesOf(path)) {
    const holder = readHolderFile(file)
    if (holder !== undefined && isMine(holder)) remove(path, file)
  }
}

/** The file of a holder. Undefined when it is gone, and when it is none. */
export function readHolderFile(file: string): LockContent | undefined {
  try {
    return readContent(file)
  } catch (error) {
    if (error instanceof UnusableFile) return undefined
    throw error
  }
}

function readContent(file: string): LockContent | undefined {
  const text = readUntrusted(file, mostBytes)
  return text === undefined ? undefined : parse(text)
}

function putInPlace(path: string, mine: LockContent): boolean {
  const draft = `${path}.${randomUUID()}.tmp`
  try {
    fs.mkdirSync(draft, { mode: 0o700 })
    fs.writeFileSync(join(draft, `${randomUUID()}.json`), JSON.stringify(mine), { mode: 0o600 })
    fs.renameSync(draft, path)
    return true
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true })
    const code = errorCode(error)
    // a file is what an older version of this takes for a lock: it is judged like one
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR') return false
    throw error
  }
}

function filesOf(path: string): string[] {
  const found = fs.lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return []
  if (!found.isDirectory()) return [path]
  try {
    return fs.readdirSync(path).map((name) => join(path, name))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

function remove(path: string, file: string): void {
  for (const take of [() => fs.unlinkSync(file), () => fs.rmdirSync(path)]) {
    try {
      take()
    } catch {
      // Somebody has taken it in between, or removed it.
    }
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
