import { existsSync, statSync } from 'node:fs'
import { lastHeldAt, readHolders } from './checkout-holders.ts'
import { dirtyFiles, nameFiles } from './checkout.ts'
import { type GitOptions, gitPath } from './git.ts'
import { commitOf, holdsCommit, mergedInto } from './refs.ts'
import { type WorktreeFacts, readWorktreeFacts } from './worktree-facts.ts'
import { type Worktree, isOccupied } from './worktrees.ts'

const dayMs = 24 * 3_600_000
const idleDays = 14

/** Why a worktree stays. */
export interface Kept {
  /** Why it is kept: the end of a sentence that begins with the worktree. */
  because: string
  /** Nothing but a person ever ends that. */
  needsHand: boolean
}

/**
 * Why a worktree of a runner stays; undefined when it can go. What is neither committed nor somewhere else as well is
 * never let go, and what a next run may want to go on in stays for a while.
 */
export async function whyKept(
  worktree: Worktree,
  now: number,
  options: GitOptions = {},
): Promise<Kept | undefined> {
  const { path, branch } = worktree
  if (worktree.isGone) {
    return isOccupied(path)
      ? needsHand('its .git file is gone, and something else is there')
      : undefined
  }
  if (readHolders(path).length > 0) return waits('a run is at work in it')
  if (worktree.isHalfMade) return undefined
  const dirty = await dirtyFiles(path, options)
  if (dirty.length > 0) return needsHand(`it has uncommitted changes (${nameFiles(dirty, 1)})`)
  if (branch === undefined) return needsHand('it is on no branch')
  if (hasSubmodules(path)) {
    return needsHand('it has submodules, and Git removes such a worktree by force alone')
  }
  const facts = readWorktreeFacts(path)
  if (facts === undefined) return needsHand('no runner knows what it is for')
  const state = await workIn(path, branch, facts, options)
  if (state === 'merged') return undefined
  if (state === 'only here') return waits('it has commits that are neither merged nor pushed')
  const idle = Math.floor((now - lastUsedAt(path)) / dayMs)
  return idle < idleDays ? waits(`it goes once it was idle for ${idleDays} days`) : undefined
}

const waits = (because: string): Kept => ({ because, needsHand: false })
const needsHand = (because: string): Kept => ({ because, needsHand: true })

async function workIn(path: string, branch: string, facts: WorktreeFacts, options: GitOptions) {
  const tip = await commitOf(path, 'HEAD', options)
  if (tip === undefined) return 'only here'
  if (tip === facts.startSha) return 'none'
  const merged = await mergedInto(path, facts.baseBranch, tip, options)
  if (merged !== undefined) return 'merged'
  const pushed = await commitOf(path, `refs/remotes/origin/${branch}`, options)
  const isPushed = pushed !== undefined && (await holdsCommit(path, pushed, tip, options))
  return isPushed ? 'pushed' : 'only here'
}

/** When somebody last came, went, or staged or committed anything. */
function lastUsedAt(path: string): number {
  const touched = ['index', 'logs/HEAD'].map((name) => modifiedAt(gitPath(path, name)))
  return Math.max(lastHeldAt(path) ?? 0, ...touched)
}

function modifiedAt(path: string | undefined): number {
  return (path && statSync(path, { throwIfNoEntry: false })?.mtimeMs) || 0
}

function hasSubmodules(path: string): boolean {
  const modules = gitPath(path, 'modules')
  return modules !== undefined && existsSync(modules)
}
