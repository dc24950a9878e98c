import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { ProcessIdentity, isAlive, readProcess } from '@svc/process/process-identity'
import { GitError, gitEnvironment, safeArguments } from './git.ts'

/** A Git command in a process group of its own: what a terminal sends to everybody there does not reach it. */
export interface OwnGroup {
  /** Rejects with a GitError where Git refused or was ended. */
  ended: Promise<void>
  /** Ends it with whatever it has started. */
  end: () => void
}

/** Which process it is, for whoever finds what it has left. */
export const GitProcess = ProcessIdentity
export type GitProcess = ProcessIdentity

export function isAtWork(git: GitProcess): boolean {
  return isAlive(git)
}

/**
 * Starts Git once `announce` has written down which process it is: it waits for that, and does nothing where whoever
 * starts it dies before.
 */
export function gitInOwnGroup(
  cwd: string,
  args: readonly string[],
  announce: (git: GitProcess) => void = () => undefined,
): OwnGroup {
  const waiting = ['-c', 'read -r go && exec git "$@" </dev/null', 'git', ...safeArguments(args)]
  const child = spawn('/bin/sh', waiting, {
    cwd,
    env: gitEnvironment(process.env, args),
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const said = text(child.stderr).catch(() => '')
  const { pid } = child
  const end = () => {
    if (pid !== undefined) endGroup(pid)
  }
  child.once('error', (cause) => reject(new GitError(args, '', { cause })))
  child.once('exit', (code, signal) => {
    if (code === 0) return resolve()
    if (signal === null) return void said.then((stderr) => reject(new GitError(args, stderr)))
    // a hook that outlives its Git must not hold on to what this process waits for
    end()
    child.stderr.destroy()
    reject(new GitError(args, `it was ended by ${signal}`))
  })
  const identity = pid === undefined ? undefined : readProcess(pid)
  if (identity === undefined) child.stdin.destroy()
  else {
    announce(identity)
    child.stdin.end('go\n')
  }
  return { ended: promise, end }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // it has ended by itself
  }
}
