import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { LaunchFailure } from '../launch-failure.ts'
import { type GitOptions, git, gitIfPossible } from './git.ts'

const fetchAfterMs = 10 * 60_000
const fetchTimeoutMs = 60_000

/** The commit that branches are cut from: `origin/<default>`, fetched when old, else the local branch. */
export async function resolveBase(
  checkout: string,
  defaultBranch: string,
  options: GitOptions = {},
): Promise<string | undefined> {
  await refuseBadName(checkout, defaultBranch, options)
  await fetchWhenOld(checkout, defaultBranch, options)
  for (const ref of [`refs/remotes/origin/${defaultBranch}`, `refs/heads/${defaultBranch}`]) {
    const sha = await commitOf(checkout, ref, options)
    if (sha !== undefined) return sha
  }
  return undefined
}

/** Git spells a short form such as `@{-1}` out: then it names another branch than it says. */
async function refuseBadName(checkout: string, name: string, options: GitOptions): Promise<void> {
  const printed = await gitIfPossible(checkout, ['check-ref-format', '--branch', name], options)
  if (printed === `${name}\n`) return
  throw new LaunchFailure(
    'bad_working_directory',
    `${JSON.stringify(name)} cannot be the name of a branch: name another with svc resource link <project> <path> --base <branch>`,
    'prepare',
  )
}

export async function commitOf(
  checkout: string,
  ref: string,
  options: GitOptions = {},
): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]
  return (await gitIfPossible(checkout, args, options))?.trim()
}

/** Every branch, local or of origin, and whether its work is in the base; looked into closely where it is recorded. */
export async function knownBranches(
  checkout: string,
  base: string,
  recorded: readonly string[],
  options: GitOptions = {},
): Promise<Map<string, { merged: boolean }>> {
  const list = (...more: string[]) =>
    git(
      checkout,
      ['for-each-ref', '--format=%(refname)', ...more, 'refs/heads', 'refs/remotes/origin'],
      options,
    )
  const [all, contained] = await Promise.all([list(), list(`--merged=${base}`)])
  const inBase = new Set(lines(contained))
  const known = new Map<string, { merged: boolean }>()
  for (const ref of lines(all)) {
    const name = ref.replace(/^refs\/(heads|remotes\/origin)\//, '')
    if (name === 'HEAD') continue
    const isFresh = recorded.includes(name) && (await isUntouched(checkout, ref, options))
    const merged = inBase.has(ref) && !isFresh
    known.set(name, { merged: merged && (known.get(name)?.merged ?? true) })
  }
  return known
}

/** A branch still at the commit it was cut from is contained in the base, yet nothing of it was merged. */
async function isUntouched(checkout: string, ref: string, options: GitOptions): Promise<boolean> {
  if (!ref.startsWith('refs/heads/')) return false
  const log = await gitIfPossible(checkout, ['reflog', 'show', '--format=%H', ref, '--'], options)
  const commits = new Set(lines(log ?? ''))
  return commits.size === 1
}

async function fetchWhenOld(
  checkout: string,
  defaultBranch: string,
  options: GitOptions,
): Promise<void> {
  const remotes = lines(await git(checkout, ['remote'], options))
  if (!remotes.includes('origin') || !(await isFetchOld(checkout, options))) return
  const refspec = `+refs/heads/${defaultBranch}:refs/remotes/origin/${defaultBranch}`
  const args = ['fetch', '--quiet', '--no-tags', 'origin', '--', refspec]
  // Offline work goes on from what was fetched last.
  await gitIfPossible(checkout, args, { ...options, timeoutMs: fetchTimeoutMs })
}

async function isFetchOld(checkout: string, options: GitOptions): Promise<boolean> {
  const path = (await git(checkout, ['rev-parse', '--git-path', 'FETCH_HEAD'], options)).trim()
  const fetched = statSync(resolve(checkout, path), { throwIfNoEntry: false })
  return Date.now() - (fetched?.mtimeMs ?? 0) > fetchAfterMs
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}
