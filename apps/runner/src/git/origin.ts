import { type GitOptions, gitIfPossible } from './git.ts'
import { commitOf, hasOrigin, quietFetch } from './refs.ts'
import { withRepository } from './repository-lock.ts'

const askTimeoutMs = 30_000

export interface AtOrigin {
  state: 'none' | 'unreachable' | 'reached'
  /** The commit there. */
  sha: string | undefined
}

/** What `origin` says of a reference now. Nothing is fetched. */
export async function listAtOrigin(
  checkout: string,
  ref: string,
  options: GitOptions,
): Promise<AtOrigin> {
  if (!(await hasOrigin(checkout, options))) return { state: 'none', sha: undefined }
  const listed = await gitIfPossible(checkout, ['ls-remote', 'origin', '--', ref], options)
  if (listed === undefined) return { state: 'unreachable', sha: undefined }
  const line = listed.split('\n').find((one) => one.endsWith(`\t${ref}`))
  return { state: 'reached', sha: line?.split('\t')[0] }
}

/** What `origin` has of a branch now, fetched. */
export async function askOrigin(
  checkout: string,
  branch: string,
  options: GitOptions,
): Promise<AtOrigin> {
  const ref = `refs/heads/${branch}`
  const listed = await listAtOrigin(checkout, ref, { ...options, timeoutMs: askTimeoutMs })
  if (listed.sha === undefined) return listed
  const tracking = `refs/remotes/origin/${branch}`
  const isHere = async () => (await commitOf(checkout, tracking, options)) === listed.sha
  const fetch = async () => {
    const args = [...quietFetch, 'origin', '--', `+${ref}:${tracking}`]
    return (await isHere()) || (await gitIfPossible(checkout, args, options)) !== undefined
  }
  // Git refuses one of two fetches that write one reference at once: the other one may be a person's own
  const isFetched =
    (await isHere()) ||
    (await withRepository(checkout, 'fetch', fetch, options)) ||
    (await isHere())
  if (!isFetched) return { state: 'unreachable', sha: undefined }
  return { state: 'reached', sha: await commitOf(checkout, tracking, options) }
}
