import { closeSync, constants, futimesSync, lstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { RunFolders } from './run-facts.ts'

/**
 * Files that `svc protocol deliver` touches when a delivery waits for a check, so that the supervisor asks the service at
 * once: in the agent's TMPDIR or, where a sandbox forbids that, in its working directory. They are empty.
 */
export function checkHintPaths({
  tmpDirectory,
  workingDirectory,
}: Omit<RunFolders, 'requestId'>): string[] {
  const first = join(tmpDirectory, 'check-wanted')
  return workingDirectory ? [first, join(workingDirectory, '.svc', 'tmp', 'check-wanted')] : [first]
}

/** In the first place that takes it. Without any the service says it in time, too. */
export function leaveCheckHint(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      const handle = openSync(
        path,
        constants.O_CREAT | constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
        0o600,
      )
      const now = new Date()
      futimesSync(handle, now, now)
      closeSync(handle)
      return
    } catch {
      // not writable: the next path may be
    }
  }
}

/** A value that changes whenever a hint is left. The files are not opened, since the agent can put anything there. */
export function readCheckHints(paths: readonly string[]): string {
  return paths.map((path) => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(' ')
}
