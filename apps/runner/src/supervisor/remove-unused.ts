import { homeAt, worktreesRoot } from '../files/home.ts'
import { readHolders } from '../git/checkout-holders.ts'
import { dirtyFiles } from '../git/checkout.ts'
import { type GitOptions, git, gitIfPossible } from '../git/git.ts'
import { commitOf } from '../git/refs.ts'
import { withRepository } from '../git/repository-lock.ts'
import { isBelow, listWorktrees, removeWorktree } from '../git/worktrees.ts'
import { type RunWorkingTree, workingTreesOf } from '../run/working-trees.ts'
import type { Run } from '../run/run.ts'

const removeMs = 60_000
const mostMoves = 1_000

/**
 * Takes away what the run was given in other resources than its own and did not use: a worktree without a change, and its
 * branch without a commit. Whoever works there next cuts it again, under the name that is recorded. Safe to repeat.
 */
export async function removeUnused(run: Run): Promise<void> {
  for (const tree of workingTreesOf(run)) {
    if (tree.isOwn) continue
    try {
      await removeIfUnused(run, tree, { signal: AbortSignal.timeout(removeMs) })
    } catch (error) {
      // it goes when worktrees are cleared up
      run.log.warn({ err: error, branch: tree.branch }, 'could not remove an unused worktree')
    }
  }
}

async function removeIfUnused(
  { order }: Run,
  { resourceKey, workingDirectory, branch, startSha }: RunWorkingTree,
  options: GitOptions,
): Promise<void> {
  const checkout = order.checkouts[resourceKey]
  const root = worktreesRoot(homeAt(order.home))
  if (checkout === undefined || !isBelow(root, workingDirectory)) return
  const remove = async () => {
    const all = await listWorktrees(checkout, options)
    const worktree = all.find((one) => one.path === workingDirectory && one.branch === branch)
    if (worktree === undefined || worktree.isGone || worktree.isHalfMade) return
    if (readHolders(workingDirectory).length > 0) return
    if ((await commitOf(checkout, `refs/heads/${branch}`, options)) !== startSha) return
    if ((await dirtyFiles(workingDirectory, options)).length > 0) return
    if (await wasOnUnnamed(workingDirectory, options)) return
    // not with the signal: what Git had removed half of would be kept for what is missing
    await removeWorktree(checkout, worktree, root)
    await git(checkout, ['update-ref', '-d', `refs/heads/${branch}`, startSha])
  }
  await withRepository(checkout, 'worktrees', remove, options)
}

/** Whether commits were made in it that no reference has: the worktree alone remembers them. */
async function wasOnUnnamed(worktree: string, options: GitOptions): Promise<boolean> {
  const log = ['reflog', 'show', `--max-count=${mostMoves}`, '--format=%H', 'HEAD', '--']
  const moves = (await gitIfPossible(worktree, log, options)) ?? ''
  const commits = new Set(moves.split('\n').filter((line) => line !== ''))
  if (commits.size === 0) return false
  const search = ['rev-list', '--max-count=1', '--ignore-missing', ...commits, '--not', '--all']
  return (await git(worktree, search, options)) !== ''
}
