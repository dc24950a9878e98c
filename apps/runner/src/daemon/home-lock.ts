import { z } from 'zod'
import { isAlive, readProcess } from '@svc/process/process-identity'
import type { Home } from '../files/home.ts'
import { freeLock, readLock, takeLock } from '../files/lock-file.ts'
import { DaemonError, daemonExitCode } from './daemon-error.ts'

const Holder = z.object({ pid: z.int(), startedAt: z.string() })

/** One daemon per home. A lock whose process has gone is taken over. */
export function lockHome(home: Home): Disposable {
  const mine = readProcess(process.pid) ?? { pid: process.pid, startedAt: '' }
  const taking = takeLock(home.lockFile, { ...mine }, (content) => !isHeld(content))
  if (!taking.taken) {
    throw new DaemonError(
      daemonExitCode.notPossible,
      `${home.folder} is in use by another runner, process ${String(taking.holder['pid'])}: stop it, or set SVC_RUNNER_HOME.`,
    )
  }
  return {
    [Symbol.dispose]() {
      freeLock(home.lockFile, (content) => content['pid'] === mine.pid)
    },
  }
}

/** The process id of the daemon that runs on this home. */
export function findDaemon(home: Home): number | undefined {
  const content = readLock(home.lockFile)
  return content !== undefined && isHeld(content) ? Number(content['pid']) : undefined
}

function isHeld(content: unknown): boolean {
  const parsed = Holder.safeParse(content)
  return parsed.success && isAlive(parsed.data)
}
