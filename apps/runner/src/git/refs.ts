import { statSync } from 'node:fs'
import { join } from 'node:path'
import { writeDurably } from '../files/durable-file.ts'
import { LaunchFailure } from '../launch-failure.ts'
import { type GitOptions, git, gitIfPossible } from './git.ts'
import { mergedTree } from './merged-tree.ts'
import { commonFolder, withRepository } from './repository-lock.ts'

const fetchAfterMs = 10 * 60_000
const fetchTimeoutMs = 60_000
/** After a fetch that failed. */
const tryAgainMs = 60_000
const failed = 'origin did not answer'

/** FETCH_HEAD is the person's own. */
export const quietFetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head'] as const

/** The commit that branches are cut from: `origin/<default>`, fetched when old, else the local branch. */
export async function resolveBase(
  checkout: string,
  defaultBranch: string,
  options: GitOptions = {},
): Promise<{ sha: string | undefined; isFetched: boolean }> {
  await refuseBadName(checkout, defaultBranch, options)
  const isFetched = await fetchBase(checkout, defaultBranch, options)
  return { sha: await findBase(checkout, defaultBranch, options), isFetched }
}

/** The same as it is known here. */
export async function findBase(
  checkout: string,
  defaultBranch: string,
  options: GitOptions = {},
): Promise<string | undefined> {
  const { origin, here } = await findBases(checkout, defaultBranch, options)
  return origin ?? here
}

/** Which of both bases has the work, as one squashed commit or as it is: what is in either is not lost. */
export async function mergedInto(
  checkout: string,
  baseBranch: string,
  commit: string,
  options: GitOptions = {},
): Promise<'here' | 'origin' | undefined> {
  const { here, origin } = await findBases(checkout, baseBranch, options)
  if (here !== undefined && (await holdsWork(checkout, here, commit, options))) return 'here'
  if (origin !== undefined && (await holdsWork(checkout, origin, commit, options))) return 'origin'
  return undefined
}

/** The base here, and that of `origin` as it was last fetched. */
async function findBases(checkout: string, branch: string, options: GitOptions) {
  const refs = [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`]
  const [here, origin] = await Promise.all(refs.map((ref) => commitOf(checkout, ref, options)))
  return { here, origin }
}

/** Git spells a short form such as `@{-1}` out: then it names another branch than it says. */
async function refuseBadName(checkout: string, name: string, options: GitOptions): Promise<void> {
  const printed = await gitIfPossible(checkout, ['check-ref-format', '--branch', name], options)
  if (printed === `${name}\n`) return
  throw new LaunchFailure(
    'bad_working_directory',
    `${JSON.stringify(name)} cannot be the name of a branch.`,
    'prepare',
    { next: { operation: 'linkProjectResource', params: {} } },
  )
}

export async function hasOrigin(checkout: string, options: GitOptions): Promise<boolean> {
  return lines(await git(checkout, ['remote'], options)).includes('origin')
}

export async function commitOf(
  checkout: string,
  ref: string,
  options: GitOptions = {},
): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]
  return (await gitIfPossible(checkout, args, options))?.trim()
}

/** Every branch name here, or known to be at `origin`. */
export async function branchNames(
  checkout: string,
  options: GitOptions = {},
): Promise<Set<string>> {
  const args = ['for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/remotes/origin']
  const refs = lines(await git(checkout, args, options))
  return new Set(refs.map((ref) => ref.replace(/^refs\/(heads|remotes\/origin)\//, '')))
}

/** The commit is known here and part of the other one's history. */
export async function holdsCommit(
  checkout: string,
  tip: string,
  commit: string,
  options: GitOptions = {},
): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', commit, tip]
  return (await gitIfPossible(checkout, args, options)) !== undefined
}

/** The same, or merging it would change nothing: its work came in as one squashed commit. */
export async function holdsWork(
  checkout: string,
  tip: string,
  commit: string,
  options: GitOptions = {},
): Promise<boolean> {
  if ((await commitOf(checkout, commit, options)) === undefined) return false
  if (await holdsCommit(checkout, tip, commit, options)) return true
  const merged = await mergedTree(checkout, [tip, commit], options)
  const tree = await git(checkout, ['rev-parse', `${tip}^{tree}`], options)
  return merged === tree.trim()
}

/**
 * False where `origin` cannot be reached. Runs that start together fetch once: none of them starts from what another is
 * just fetching, and none waits again for an answer that another did not get.
 */
async function fetchBase(
  checkout: string,
  defaultBranch: string,
  options: GitOptions,
): Promise<boolean> {
  if (!(await hasOrigin(checkout, options))) return true
  const path = join(await commonFolder(checkout), `fetched-${encodeURIComponent(defaultBranch)}`)
  return lastFetch(path) ?? (await withRepository(checkout, 'fetch', fetch, options))

  async function fetch(): Promise<boolean> {
    const known = lastFetch(path)
    if (known !== undefined) return known
    const refspec = `+refs/heads/${defaultBranch}:refs/remotes/origin/${defaultBranch}`
    const args = [...quietFetch, 'origin', '--', refspec]
    const fetched = await gitIfPossible(checkout, args, { ...options, timeoutMs: fetchTimeoutMs })
    // in one step, and never into what somebody has put in its place
    writeDurably(path, fetched === undefined ? failed : '')
    return fetched !== undefined
  }
}

/** How it ended, unless that was too long ago to count. */
function lastFetch(path: string): boolean | undefined {
  const { mtimeMs = 0, size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
  const isFetched = size === 0
  const isRecent = Date.now() - mtimeMs < (isFetched ? fetchAfterMs : tryAgainMs)
  return isRecent ? isFetched : undefined
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}
