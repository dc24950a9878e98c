import { join } from 'node:path'
import type { ProcessIdentity } from '@svc/process/process-identity'
import { findLockHolder, takeProcessLock } from '@svc/process/process-lock'
import { readJournal } from './journal.ts'

const lockOf = (folder: string) => join(folder, 'supervisor.lock')

/**
 * True when this process is to carry the run out: no other does, and none has begun. What another one began and did
 * not end is the daemon's to recover; two daemons, one after the other, may both have started a supervisor.
 */
export function takeRun(folder: string): boolean {
  if (!takeProcessLock(lockOf(folder)).taken) return false
  return readJournal(folder).every(({ step }) => step === 'claimed')
}

/** The living process that has taken the run, also before it has written a line. */
export function findSupervisor(folder: string): ProcessIdentity | undefined {
  return findLockHolder(lockOf(folder))
}
