import type { Prepared } from '@svc/contracts/assignment'
import { currentBranch, dirtyFiles, nameFiles } from './checkout.ts'
import { type GitOptions, git, gitPath } from './git.ts'
import { commitOf, holdsCommit } from './refs.ts'
import { findUnfinished } from './unfinished.ts'

const shortSha = 12

type Worked = Pick<Prepared, 'workingDirectory' | 'branch'>

/** What of a run's work its branch does not hold, a sentence each. Nobody moves any of it. */
export async function findUncommittedWork(tree: Worked, options: GitOptions): Promise<string[]> {
  const elsewhere = await findCommittedElsewhere(tree, options)
  return [...elsewhere, ...(await findUncommittedFiles(tree, options))]
}

export async function findUncommittedFiles(
  { workingDirectory, branch }: Worked,
  options: GitOptions,
): Promise<string[]> {
  if (branch === null) return []
  if (isGone(workingDirectory)) {
    return [
      `The worktree of ${branch} is gone, with what was not committed in it: what was committed is on the branch.`,
    ]
  }
  const dirty = await dirtyFiles(workingDirectory, options)
  if (dirty.length === 0) return []
  return [
    `Not committed on ${branch}: ${nameFiles(dirty, 5)}. Commit or discard that where the run worked.`,
  ]
}

export async function findCommittedElsewhere(
  { workingDirectory, branch }: Worked,
  options: GitOptions,
): Promise<string[]> {
  if (branch === null || isGone(workingDirectory)) return []
  return committedElsewhere(workingDirectory, branch, options)
}

function isGone(workingDirectory: string): boolean {
  return gitPath(workingDirectory, '.') === undefined
}

async function committedElsewhere(
  checkout: string,
  branch: string,
  options: GitOptions,
): Promise<string[]> {
  const on = await currentBranch(checkout, options)
  const head = await commitOf(checkout, 'HEAD', options)
  const unfinished = await findUnfinished(checkout, options)
  if (on !== branch && unfinished !== undefined) {
    return [
      `A ${unfinished} of ${branch} is half done: finish it with git ${unfinished} --continue where the run worked, or take it back with git ${unfinished} --abort.`,
    ]
  }
  if (on === branch || head === undefined) return []
  const own = await commitOf(checkout, `refs/heads/${branch}`, options)
  if (own === undefined)
    return [
      `Branch ${branch} is gone; the last commit is ${head}: git branch ${branch} ${head} restores it.`,
    ]
  if (await holdsCommit(checkout, own, head, options)) return []
  const range = `${own}..${head}`
  const count = Number(await git(checkout, ['rev-list', '--count', range], options))
  const commits = count === 1 ? '1 commit is' : `${count} commits are`
  const where = on === undefined ? `on no branch (${head.slice(0, shortSha)})` : `on branch ${on}`
  return [
    `${commits} ${where} and not on ${branch}: git merge ${on ?? head.slice(0, shortSha)} on ${branch} brings them in.`,
  ]
}
