import { closeSync, constants, futimesSync, lstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { RunFolders } from './run-facts.ts'

/**
 * Where an agent's command says that its delivery waits for a check: in its TMPDIR, or where a sandbox takes that away, in
 * its working directory. A hint, which holds nothing: who sees that it is newer asks the service, which knows.
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
      // the next place may take it
    }
  }
}

/** Another value than before where a hint was left since. Nothing of it is opened, since the agent can put anything there. */
export function readCheckHints(paths: readonly string[]): string {
  return paths.map((path) => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(' ')
}
