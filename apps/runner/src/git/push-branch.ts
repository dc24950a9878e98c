import type { Prepared } from '@svc/contracts/runner'
import { GitError, type GitOptions, git } from './git.ts'
import { commitOf, hasOrigin } from './refs.ts'

const pushMs = 2 * 60_000

/** Pushes what was committed on the branch of a run; a sentence where that cannot be done. */
export async function pushWork(
  { workingDirectory, branch, startSha }: Prepared,
  options: GitOptions,
): Promise<string[]> {
  if (branch === null) return []
  const tip = await commitOf(workingDirectory, `refs/heads/${branch}`, options)
  if (tip === undefined || tip === startSha) return []
  const refused = await pushBranch(workingDirectory, branch, options)
  return refused === undefined ? [] : [refused]
}

/** Takes the branch to `origin`, never by force; a sentence where that cannot be done. */
export async function pushBranch(
  checkout: string,
  branch: string,
  options: GitOptions = {},
): Promise<string | undefined> {
  const ref = `refs/heads/${branch}`
  if (!(await hasOrigin(checkout, options))) {
    return `Branch ${branch} was not pushed: this repository has no remote called origin.`
  }
  try {
    const args = ['push', '--quiet', 'origin', `${ref}:${ref}`]
    await git(checkout, args, { ...options, timeoutMs: pushMs })
    return undefined
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    const said = error.stderr.split('\n').find((line) => /rejected|error|fatal|denied/i.test(line))
    return `Branch ${branch} could not be pushed: ${(said ?? 'origin did not answer in time').trim().slice(0, 300)}`
  }
}
