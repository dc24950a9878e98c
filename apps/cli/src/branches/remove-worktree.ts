import { type Home, worktreesRoot } from '@svc/runner/files/home'
import { GitError } from '@svc/runner/git/git'
import { LaunchFailure } from '@svc/runner/launch-failure'
import { readWorktreeFacts, writeWorktreeFacts } from '@svc/runner/git/worktree-facts'
import { type Worktree, addWorktree, removeWorktree } from '@svc/runner/git/worktrees'
import { refuse, refuseDirty, refuseHeld, wordsOf } from './refuse.ts'

/**
 * Removes a worktree of the runner that nobody works in and that holds nothing uncommitted; its branch stays. Answers
 * how it is brought back. The lock of the repository is held.
 */
export async function clearWorktree(
  home: Home,
  checkout: string,
  worktree: Worktree,
): Promise<() => Promise<void>> {
  const { path, branch, isGone, isHalfMade } = worktree
  if (!isGone) refuseHeld(path)
  if (!isGone && !isHalfMade) await refuseDirty(path)
  const facts = readWorktreeFacts(path)
  try {
    await removeWorktree(checkout, worktree, worktreesRoot(home))
  } catch (error) {
    const isOfGit = error instanceof GitError || error instanceof LaunchFailure
    const by = isOfGit ? wordsOf(error) : String(error)
    refuse(
      'worktree_kept',
      `Git keeps worktree ${path}: ${by}. Free it there and try again.`,
      error,
    )
  }
  return async () => {
    if (branch === undefined) return
    await addWorktree(checkout, path, { branch, createAt: undefined })
    if (facts !== undefined) writeWorktreeFacts(path, facts)
  }
}
