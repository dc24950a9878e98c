import * as fs from 'node:fs'
import { ProcessIdentity, isAlive, ownIdentity } from '@svc/process/process-identity'
import { z } from 'zod'
import { readIfThere } from './data-folder.ts'
import { Fault } from './fault.ts'

const Holder = ProcessIdentity.extend({ url: z.string() })
type Holder = z.infer<typeof Holder>

/**
 * One app per data folder. A second start learns where the first one runs; a lock whose process has gone is taken.
 */
export function lockInstance(path: string, url: string): AsyncDisposable {
  const mine: Holder = { ...ownIdentity(), url }
  while (!create(path, mine)) {
    const holder = readHolder(path)
    if (holder && isAlive(holder)) {
      throw new Fault(
        `svc runs already: ${holder.url} (process ${holder.pid}). Use it, for example npm run -s svc -- missions list, or stop it first with Ctrl-C.`,
      )
    }
    removeStale(path)
  }
  return {
    async [Symbol.asyncDispose]() {
      if (readHolder(path)?.pid === mine.pid) fs.rmSync(path, { force: true })
    },
  }
}

/** The content is there before the name is, so nobody ever reads half a lock. */
function create(path: string, mine: Holder): boolean {
  const temporary = `${path}.${process.pid}.tmp`
  fs.writeFileSync(temporary, JSON.stringify(mine), { mode: 0o600 })
  try {
    fs.linkSync(temporary, path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    fs.rmSync(temporary, { force: true })
  }
}

/** Two starts may find the same dead lock: who renames it away first wins, and a live one is put back. */
function removeStale(path: string): void {
  const aside = `${path}.${process.pid}.stale`
  try {
    fs.renameSync(path, aside)
  } catch {
    return
  }
  const holder = readHolder(aside)
  if (holder && isAlive(holder)) {
    try {
      fs.linkSync(aside, path)
    } catch {
      // somebody has taken it in between: the lock is held, which is all that matters
    }
  }
  fs.rmSync(aside, { force: true })
}

function readHolder(path: string): Holder | undefined {
  try {
    return Holder.parse(JSON.parse(readIfThere(path) ?? ''))
  } catch {
    return undefined
  }
}
