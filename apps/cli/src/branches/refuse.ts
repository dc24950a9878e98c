import { readHolders } from '@svc/runner/git/checkout-holders'
import { dirtyFiles } from '@svc/runner/git/checkout'
import { GitError } from '@svc/runner/git/git'
import { LaunchFailure } from '@svc/runner/launch-failure'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure } from '../output/failure.ts'
import { named } from '../output/named.ts'
import { oneLine } from '../output/terminal.ts'

/** What a checkout or branch stands against; nothing has been changed. */
export function refuse(code: string, message: string, cause?: unknown): never {
  throw new CommandFailure(code, message, exitCode.conflict, { cause })
}

/** A run's files are not touched while it is at work. */
export function refuseHeld(path: string): void {
  const [holder] = readHolders(path)
  if (holder === undefined) return
  refuse(
    'checkout_busy',
    `A run is at work in ${path}: wait for it (svc logs ${holder.requestId} -f), or cancel it (svc runs cancel ${holder.requestId}).`,
  )
}

export async function refuseDirty(path: string): Promise<void> {
  const dirty = await dirtyFiles(path)
  if (dirty.length === 0) return
  refuse(
    'dirty_checkout',
    `${path} has uncommitted changes: commit or stash ${named(dirty)} and try again.`,
  )
}

/** What Git itself said, on one line, or what its refusal comes to that no other command would cure. */
export function wordsOf(error: unknown): string {
  if (error instanceof LaunchFailure) return oneLine(error.message)
  if (!(error instanceof GitError)) throw error
  return oneLine(error.stderr || error.message)
}
