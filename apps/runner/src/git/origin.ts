import { type GitOptions, gitIfPossible } from './git.ts'
import { commitOf, hasOrigin } from './refs.ts'
import { withRepository } from './repository-lock.ts'

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
  const isHere = async () => (await commitOf(checkout, tracking, options)) === sha
  const fetch = async () => {
    // FETCH_HEAD is the person's own
    const quiet = ['--quiet', '--no-tags', '--no-write-fetch-head']
    const args = ['fetch', ...quiet, 'origin', '--', `+${ref}:${tracking}`]
    return (await isHere()) || (await gitIfPossible(checkout, args, options)) !== undefined
  }
  // of two fetches that write one reference at once Git refuses one: a person's own may be the other
  const isFetched =
    (await isHere()) ||
    (await withRepository(checkout, 'fetch', fetch, options)) ||
    (await isHere())
  if (!isFetched) return { state: 'unreachable', sha: undefined }
  return { state: 'reached', sha: await commitOf(checkout, tracking, options) }
}
