import { cutText } from '@svc/contracts/cut-text'
import type { Prepared } from '@svc/contracts/assignment'
import { GitError, type GitOptions, git } from './git.ts'
import { commitOf, hasOrigin } from './refs.ts'

export const pushMs = 2 * 60_000

/** Pushes what was committed on the branch of a run; a sentence where that cannot be done. */
export async function pushWork(
  {
    workingDirectory,
    branch,
    startSha,
  }: Pick<Prepared, 'workingDirectory' | 'branch' | 'startSha'>,
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
    return couldNotPush(branch, error)
  }
}

export function couldNotPush(branch: string, error: GitError): string {
  return `Branch ${branch} could not be pushed: ${whyNot(error)}`
}

/** What origin or a hook said, without where Git pushed to. */
function whyNot({ stderr }: GitError): string {
  const isHook = stderr.includes('failed to push some refs')
  const lines = stderr.split('\n').map((line) => line.trim())
  const said = lines.filter((line) => !/^(To |hint: |error: failed to push some refs|$)/.test(line))
  const silent = isHook ? 'a hook of this repository refused it' : 'origin did not answer in time'
  return cutText(said.join('; ') || silent, 300)
}
