import type { Home } from '@svc/runner/files/home'
import { checkoutState, readLinks } from '@svc/runner/files/resources'
import { whyKept } from '@svc/runner/git/kept-worktree'
import { readWorktreeFacts } from '@svc/runner/git/worktree-facts'
import { isBelow, listWorktrees } from '@svc/runner/git/worktrees'
import { worktreesFolder } from './find-branch.ts'

/** A worktree that the runner of this machine has made. */
export interface RunnerWorktree {
  /** Display id. */
  mission: string | null
  resourceKey: string
  branch: string | null
  path: string
  /** Why it stays, as the end of a sentence about it; null where it can go. */
  kept: string | null
  /** Nothing but a person ever ends that. */
  needsHand: boolean
}

/** Those of all linked checkouts that can be used. */
export async function listRunnerWorktrees(home: Home): Promise<RunnerWorktree[]> {
  const root = worktreesFolder(home)
  const found = new Map<string, RunnerWorktree>()
  for (const { path: checkout, resourceKey } of readLinks(home)) {
    if (checkoutState(checkout) !== 'usable') continue
    const worktrees = (await listWorktrees(checkout)).filter(({ path }) => isBelow(root, path))
    for (const worktree of worktrees) {
      const { path, branch = null } = worktree
      // several resources may be linked to one repository
      if (found.has(path)) continue
      const why = await whyKept(worktree, Date.now())
      const { because: kept = null, needsHand = false } = why ?? {}
      const mission = readWorktreeFacts(path)?.mission ?? null
      found.set(path, { mission, resourceKey, branch, path, kept, needsHand })
    }
  }
  return [...found.values()]
}
