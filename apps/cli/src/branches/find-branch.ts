import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { MissionBranch } from '@svc/contracts/assigned-branches'
import { type Home, worktreesRoot } from '@svc/runner/files/home'
import { checkoutState, readLinks } from '@svc/runner/files/resources'
import { commitOf, holdsCommit, mergedInto } from '@svc/runner/git/refs'
import { checkoutOf } from '@svc/runner/git/worktree-folders'
import { type Worktree, isBelow, listWorktrees, worktreePath } from '@svc/runner/git/worktrees'

/** A recorded branch, and what this machine knows of it. */
export interface FoundBranch {
  recorded: MissionBranch
  /**
   * The linked checkout of its resource, or the one that its worktree was made of and that is linked no more; undefined
   * where this machine has none that can be used.
   */
  checkout: string | undefined
  /** Its commit here. */
  tip: string | undefined
  /** Where it is checked out. */
  worktree: Worktree | undefined
  /** That worktree was made by the runner of this machine. */
  isRunners: boolean
  /** Its commit at `origin`, as it was last fetched. */
  origin: string | undefined
  /** Whether the branch is merged into its base; `unknown` where this machine lacks one of the two. */
  state: BranchState
}

export type BranchState = 'empty' | 'merged' | 'open' | 'unknown'

/** Nothing is asked of `origin`. */
export async function findBranch(home: Home, recorded: MissionBranch): Promise<FoundBranch> {
  const checkout = linkedCheckout(home, recorded) ?? (await unlinkedCheckout(home, recorded))
  const { branch, startSha, lastSha } = recorded
  if (checkout === undefined) {
    return { ...nowhere, recorded, state: lastSha === startSha ? 'empty' : 'unknown' }
  }
  const [tip, origin, worktrees] = await Promise.all([
    commitOf(checkout, `refs/heads/${branch}`),
    commitOf(checkout, `refs/remotes/origin/${branch}`),
    listWorktrees(checkout),
  ])
  const worktree = worktrees.find((one) => one.branch === branch)
  const state = await stateOf(checkout, recorded, tip ?? origin ?? lastSha)
  const isRunners = worktree !== undefined && isBelow(worktreesRoot(home), worktree.path)
  return { recorded, checkout, tip, worktree, isRunners, origin, state }
}

const nowhere = {
  checkout: undefined,
  tip: undefined,
  worktree: undefined,
  isRunners: false,
  origin: undefined,
} as const

function linkedCheckout(
  home: Home,
  { projectId, resourceKey }: Pick<MissionBranch, 'projectId' | 'resourceKey'>,
): string | undefined {
  const link = readLinks(home).find(
    (one) => one.projectId === projectId && one.resourceKey === resourceKey,
  )
  return link && checkoutState(link.path) === 'usable' ? link.path : undefined
}

async function unlinkedCheckout(
  home: Home,
  { mission, resourceKey, branch }: MissionBranch,
): Promise<string | undefined> {
  const [projectSlug = ''] = mission.split(':')
  const worktree = worktreePath(worktreesRoot(home), { projectSlug, resourceKey, branch })
  return existsSync(join(worktree, '.git')) ? checkoutOf(worktree) : undefined
}

async function stateOf(
  checkout: string,
  { startSha, baseBranch }: MissionBranch,
  commit: string,
): Promise<BranchState> {
  if (commit === startSha) return 'empty'
  if ((await commitOf(checkout, commit)) === undefined) return 'unknown'
  return (await mergedInto(checkout, baseBranch, commit)) === undefined ? 'open' : 'merged'
}

/** The branch here has all that was recorded of it. */
export async function isWhole({ checkout, tip, recorded }: FoundBranch): Promise<boolean> {
  if (checkout === undefined || tip === undefined) return false
  return recorded.lastSha === tip || (await holdsCommit(checkout, tip, recorded.lastSha))
}

/** It has work that would go with it, or may have. */
export function isUnmerged({ state }: Pick<FoundBranch, 'state'>): boolean {
  return state === 'open' || state === 'unknown'
}

/** Describes in words where the branch is, for a person on this machine. */
export function whereIs(found: FoundBranch): string {
  const { recorded, checkout, tip, worktree, isRunners, origin, state } = found
  if (worktree !== undefined) {
    return isRunners ? `here, in worktree ${worktree.path}` : `here, in ${worktree.path}`
  }
  if (tip !== undefined) return `here, a branch of ${checkout}`
  if (origin !== undefined) return 'at origin'
  if (state === 'merged') return `not here; its work is in ${recorded.baseBranch} of ${checkout}`
  return `on runner ${recorded.runnerLabel}`
}
