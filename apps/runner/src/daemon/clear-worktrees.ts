import { type Home, worktreesRoot } from '../files/home.ts'
import { readLinks } from '../files/resources.ts'
import type { GitOptions } from '../git/git.ts'
import { whyKept } from '../git/kept-worktree.ts'
import { withRepository } from '../git/repository-lock.ts'
import { checkoutOf, worktreeFolders } from '../git/worktree-folders.ts'
import { type Worktree, isBelow, listWorktrees, removeWorktree } from '../git/worktrees.ts'
import { foldersOf } from '../run/journal.ts'
import { listUnfinishedRuns } from '../run/run-folder.ts'
import type { RunLog } from '../run/run-log.ts'

/**
 * Removes the worktrees of this runner that nothing keeps, of linked checkouts and of those that are linked no more. One that Git does not remove stays, and the log says why.
 */
export async function clearWorktrees(
  home: Home,
  log: RunLog,
  options: Pick<GitOptions, 'signal'> = {},
): Promise<void> {
  const root = worktreesRoot(home)
  const { signal } = options
  for (const checkout of await listCheckouts()) {
    if (signal?.aborted) return
    try {
      for (const worktree of await listOurs(checkout)) await clear(checkout, worktree)
    } catch (error) {
      if (signal?.aborted) return
      log.warn({ err: error, checkout }, 'could not clear up the worktrees of a checkout')
    }
  }

  async function listCheckouts(): Promise<Set<string>> {
    const checkouts = new Set(readLinks(home).map(({ path }) => path))
    for (const folder of worktreeFolders(root)) {
      try {
        const checkout = await checkoutOf(folder, options)
        if (checkout !== undefined) checkouts.add(checkout)
      } catch (error) {
        if (signal?.aborted) break
        log.warn({ err: error, worktree: folder }, 'could not find the checkout of a worktree')
      }
    }
    return checkouts
  }

  async function listOurs(checkout: string): Promise<Worktree[]> {
    const all = await listWorktrees(checkout, options)
    return all.filter(({ path }) => isBelow(root, path))
  }

  async function clear(checkout: string, worktree: Worktree): Promise<void> {
    const { branch } = worktree
    try {
      if (await isKept(worktree)) return
      const remove = () => removeUnlessKept(checkout, worktree.path)
      const isRemoved = await withRepository(checkout, 'worktrees', remove, options)
      if (isRemoved) log.info({ branch }, 'removed a worktree that is no longer needed')
    } catch (error) {
      signal?.throwIfAborted()
      log.warn({ err: error, branch }, 'could not remove a worktree that is no longer needed')
    }
  }

  /** Judged anew, since a run may have come before the lock was taken; judging takes too long to hold it for all. */
  async function removeUnlessKept(checkout: string, path: string): Promise<boolean> {
    const worktree = (await listOurs(checkout)).find((one) => one.path === path)
    if (worktree === undefined || (await isKept(worktree))) return false
    // not with the signal: what Git had removed half of would be kept for what is missing
    await removeWorktree(checkout, worktree, root)
    return true
  }

  async function isKept(worktree: Worktree): Promise<boolean> {
    if ((await whyKept(worktree, Date.now(), options)) !== undefined) return true
    // whoever takes the run to its end, be it later, looks there for what it has changed
    const unfinished = listUnfinishedRuns(home).flatMap(({ steps }) => foldersOf(steps))
    return unfinished.includes(worktree.path)
  }
}
