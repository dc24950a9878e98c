import { cutText } from '@svc/contracts/cut-text'
import { LaunchFailure, LaunchRelease } from '../launch-failure.ts'
import { GitError, type GitOptions, git, gitIfPossible, writeOutMs } from './git.ts'
import type { NamedCheckout } from './named-checkout.ts'
import type { PlannedBranch } from './planned-branch.ts'
import { commitOf } from './refs.ts'

/** Switches a working tree to the branch. The caller has made sure that nothing forbids it. */
export async function switchToBranch(
  { checkout, name }: NamedCheckout,
  { branch, createAt }: PlannedBranch,
  options: GitOptions,
): Promise<void> {
  const isHere = (await commitOf(checkout, `refs/heads/${branch}`, options)) !== undefined
  const create = ['switch', '--quiet', '--create', branch, '--no-track', createAt]
  try {
    const args = isHere ? ['switch', '--quiet', '--', branch] : create
    await git(checkout, args, { ...options, timeoutMs: writeOutMs })
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    // a hook that fails has kept nothing from being switched
    if ((await currentBranch(checkout, options)) === branch) return
    if (isElsewhere(error)) throw branchElsewhere(name, branch, error)
    throw new LaunchRelease(
      'checkout_busy',
      `Git does not switch ${name} to ${branch}: ${error.said}.`,
      { cause: error, checkout },
    )
  }
}

/** Nothing uncommitted, and no commit that only this working tree knows, is taken to another branch or lost by it. */
export async function refuseSwitch(
  tree: NamedCheckout,
  branch: string,
  options: GitOptions,
): Promise<void> {
  const dirty = await dirtyFiles(tree.checkout, options)
  if (dirty.length > 0) throw dirtyCheckout(tree, branch, dirty)
  await refuseUnnamed(tree, options)
}

/** Commits on no branch are known by this working tree alone: switching it would lose their last name. */
async function refuseUnnamed(
  { checkout, name }: NamedCheckout,
  options: GitOptions,
): Promise<void> {
  if ((await currentBranch(checkout, options)) !== undefined) return
  const head = await commitOf(checkout, 'HEAD', options)
  if (head === undefined) return
  const args = ['for-each-ref', '--count=1', '--contains', head, '--format=%(refname)']
  if ((await git(checkout, args, options)) !== '') return
  const text = `${name} is on commits that no branch has: keep them with git branch <name> ${head} there, switch away, and launch again.`
  throw new LaunchFailure('branch_conflict', startSentence(text), 'prepare')
}

/** Whether Git refused because another working tree has the branch checked out, or is in the middle of rebasing it. */
export function isElsewhere({ stderr }: GitError): boolean {
  return /already (checked out|used by worktree) at /.test(stderr)
}

export function branchElsewhere(name: string, branch: string, cause: GitError): LaunchRelease {
  return new LaunchRelease(
    'checkout_busy',
    `Another worktree of ${name} has branch ${branch}, or is in the midst of a rebase of it: free it there.`,
    { cause },
  )
}

/** Fast-forward only. Uncommitted changes may stand in the way: they are left alone, and so is the branch. */
export async function bringUp(
  { checkout, name }: NamedCheckout,
  { branch, forwardTo }: PlannedBranch,
  options: GitOptions,
): Promise<string[]> {
  if (forwardTo === undefined) return []
  const args = ['merge', '--ff-only', '--quiet', forwardTo]
  try {
    await git(checkout, args, { ...options, timeoutMs: writeOutMs })
    return []
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    return [`Branch ${branch} in ${name} stays behind the one at origin: ${error.said}.`]
  }
}

/** Undefined when the checkout is on no branch. */
export async function currentBranch(
  checkout: string,
  options: GitOptions = {},
): Promise<string | undefined> {
  return (await gitIfPossible(checkout, ['symbolic-ref', '--short', '-q', 'HEAD'], options))?.trim()
}

/** Changed and untracked files, relative to the checkout. */
export async function dirtyFiles(checkout: string, options: GitOptions = {}): Promise<string[]> {
  const args = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=normal']
  const text = await git(checkout, args, options)
  return text
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => entry.slice(3))
}

/** The first of them, and how many more there are. */
export function nameFiles(files: readonly string[], most: number): string {
  const more = files.length > most ? ` and ${files.length - most} more` : ''
  return `${files.slice(0, most).join(', ')}${more}`
}

export async function isRepository(path: string): Promise<boolean> {
  const top = await gitIfPossible(path, ['rev-parse', '--is-inside-work-tree'])
  return top?.trim() === 'true'
}

function dirtyCheckout(
  { name }: NamedCheckout,
  branch: string,
  files: readonly string[],
): LaunchFailure {
  const text = `${name} is not on branch ${branch} and has uncommitted changes: commit or stash ${nameFiles(files, 20)}.`
  return new LaunchFailure('dirty_checkout', cutText(startSentence(text), 4000), 'prepare')
}

function startSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
