import { ProcessIdentity, isAlive, ownIdentity } from '@svc/process/process-identity'
import { freeLock, readLock, takeLock } from './lock-file.ts'

/** Takes the lock for this process, or says which living one holds it. */
export function takeProcessLock(
  path: string,
): { taken: true } | { taken: false; holder: ProcessIdentity } {
  const isStale = (content: unknown) => living(content) === undefined
  const taking = takeLock(path, { ...ownIdentity() }, isStale)
  return taking.taken ? taking : { taken: false, holder: ProcessIdentity.parse(taking.holder) }
}

export function freeProcessLock(path: string): void {
  const { pid, startedAt } = ownIdentity()
  freeLock(path, (content) => content['pid'] === pid && content['startedAt'] === startedAt)
}

/** The living process that holds the lock. */
export function findLockHolder(path: string): ProcessIdentity | undefined {
  return living(readLock(path))
}

function living(content: unknown): ProcessIdentity | undefined {
  const parsed = ProcessIdentity.safeParse(content)
  return parsed.success && isAlive(parsed.data) ? parsed.data : undefined
}
