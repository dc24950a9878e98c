import { relative, sep } from 'node:path'
import { type Home, worktreesRoot } from '@svc/runner/files/home'
import { checkoutState, readLinks } from '@svc/runner/files/resources'
import { whyKept } from '@svc/runner/git/kept-worktree'
import { readWorktreeFacts } from '@svc/runner/git/worktree-facts'
import { worktreeFolders } from '@svc/runner/git/worktree-folders'
import { type Worktree, isBelow, listWorktrees } from '@svc/runner/git/worktrees'
import { wordsOf } from './refuse.ts'

/** A worktree that the runner of this machine has made. */
export interface RunnerWorktree {
  /** The display id of the mission; null where the worktree names none. */
  mission: string | null
  resourceKey: string
  branch: string | null
  /** Where Git refuses to list the worktrees of a checkout, this is the path of the checkout itself. */
  path: string
  /** Why it stays, as the end of a sentence about it; null where it can go. */
  kept: string | null
  /** Nothing but a person ever ends that. */
  needsHand: boolean
}

/** Those of all linked checkouts that can be used, and what is left of others. */
export async function listRunnerWorktrees(home: Home): Promise<RunnerWorktree[]> {
  const root = worktreesRoot(home)
  const found = new Map<string, RunnerWorktree>()
  for (const { path: checkout, resourceKey } of readLinks(home)) {
    if (checkoutState(checkout) !== 'usable') continue
    for (const one of await listOf(root, checkout)) {
      // several resources may be linked to one repository
      if (!found.has(one.path)) found.set(one.path, { ...one, resourceKey })
    }
  }
  for (const folder of worktreeFolders(root)) {
    if (found.has(folder)) continue
    const [, resourceKey = ''] = relative(root, folder).split(sep)
    const left = await listOf(root, folder)
    for (const one of left) if (!found.has(one.path)) found.set(one.path, { ...one, resourceKey })
  }
  return [...found.values()]
}

type Found = Omit<RunnerWorktree, 'resourceKey'>

/** One repository that Git refuses hides none of the others. */
async function listOf(root: string, checkout: string): Promise<Found[]> {
  try {
    const worktrees = (await listWorktrees(checkout)).filter(({ path }) => isBelow(root, path))
    const found: Found[] = []
    for (const worktree of worktrees) found.push(await look(worktree))
    return found
  } catch (error) {
    const kept = `Git does not list its worktrees: ${wordsOf(error)}`
    return [{ mission: null, branch: null, path: checkout, kept, needsHand: true }]
  }
}

async function look(worktree: Worktree): Promise<Found> {
  const { path, branch = null } = worktree
  const mission = readWorktreeFacts(path)?.mission ?? null
  try {
    const { because: kept = null, needsHand = false } = (await whyKept(worktree, Date.now())) ?? {}
    return { mission, branch, path, kept, needsHand }
  } catch (error) {
    const kept = `Git does not say its state: ${wordsOf(error)}`
    return { mission, branch, path, kept, needsHand: true }
  }
}
