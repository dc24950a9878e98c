import type { Home } from '../files/home.ts'
import { findLockHolder, freeProcessLock, takeProcessLock } from '@svc/process/process-lock'
import { DaemonError, daemonExitCode } from './daemon-error.ts'

/** One daemon per home. A lock whose process has gone is taken over. */
export function lockHome(home: Home): Disposable {
  const taking = takeProcessLock(home.lockFile)
  if (!taking.taken) {
    throw new DaemonError(
      daemonExitCode.notPossible,
      `${home.folder} is in use by another runner, process ${taking.holder.pid}: stop it, or set SVC_RUNNER_HOME.`,
    )
  }
  return {
    [Symbol.dispose]() {
      freeProcessLock(home.lockFile)
    },
  }
}

/** The process id of the daemon that runs on this home. */
export function findDaemon(home: Home): number | undefined {
  return findLockHolder(home.lockFile)?.pid
}
