import { type GitOptions, gitIfPossible } from './git.ts'
import { commitOf, hasOrigin } from './refs.ts'

const askTimeoutMs = 30_000

export interface AtOrigin {
  state: 'none' | 'unreachable' | 'reached'
  /** The branch's commit there, fetched. */
  sha: string | undefined
}

/** What `origin` has of a branch now. */
export async function askOrigin(
  checkout: string,
  branch: string,
  options: GitOptions,
): Promise<AtOrigin> {
  if (!(await hasOrigin(checkout, options))) return { state: 'none', sha: undefined }
  const ref = `refs/heads/${branch}`
  const bounded = { ...options, timeoutMs: askTimeoutMs }
  const listed = await gitIfPossible(checkout, ['ls-remote', 'origin', '--', ref], bounded)
  if (listed === undefined) return { state: 'unreachable', sha: undefined }
  const sha = listed
    .split('\n')
    .find((line) => line.endsWith(`\t${ref}`))
    ?.split('\t')[0]
  if (sha === undefined) return { state: 'reached', sha: undefined }
  const tracking = `refs/remotes/origin/${branch}`
  if ((await commitOf(checkout, tracking, options)) !== sha) {
    // the file FETCH_HEAD tells how old the base is, and must not become younger by this
    const quiet = ['--quiet', '--no-tags', '--no-write-fetch-head']
    const args = ['fetch', ...quiet, 'origin', '--', `+${ref}:${tracking}`]
    const fetched = await gitIfPossible(checkout, args, options)
    if (fetched === undefined) return { state: 'unreachable', sha: undefined }
  }
  return { state: 'reached', sha: await commitOf(checkout, tracking, options) }
}
