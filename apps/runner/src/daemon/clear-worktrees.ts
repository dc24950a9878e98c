import { type Home, worktreesRoot } from '../files/home.ts'
import { readLinks } from '../files/resources.ts'
import { whyKept } from '../git/kept-worktree.ts'
import { withRepository } from '../git/repository-lock.ts'
import { isBelow, listWorktrees, removeWorktree } from '../git/worktrees.ts'
import type { RunLog } from '../run/run-log.ts'

/** Removes the worktrees of this runner that nothing keeps. One that Git does not remove stays, and the log says why. */
export async function clearWorktrees(
  home: Home,
  log: RunLog,
  now: number = Date.now(),
): Promise<void> {
  const root = worktreesRoot(home)
  for (const checkout of new Set(readLinks(home).map(({ path }) => path))) {
    try {
      await withRepository(checkout, 'worktrees', () => clearThoseOf(checkout))
    } catch (error) {
      log.warn({ err: error, checkout }, 'could not clear up the worktrees of a checkout')
    }
  }

  async function clearThoseOf(checkout: string): Promise<void> {
    const all = await listWorktrees(checkout)
    for (const worktree of all.filter(({ path }) => isBelow(root, path))) {
      const { branch } = worktree
      try {
        if ((await whyKept(worktree, now)) !== undefined) continue
        await removeWorktree(checkout, worktree, root)
        log.info({ branch }, 'removed a worktree that is no longer needed')
      } catch (error) {
        log.warn({ err: error, branch }, 'could not remove a worktree that is no longer needed')
      }
    }
  }
}
