import { existsSync, statSync } from 'node:fs'
import { lastHeldAt, readHolders } from './checkout-holders.ts'
import { dirtyFiles } from './checkout.ts'
import { type GitOptions, gitPath } from './git.ts'
import { commitOf, findBase, holdsCommit, holdsWork } from './refs.ts'
import { readWorktreeFacts } from './worktree-facts.ts'
import type { Worktree } from './worktrees.ts'

const dayMs = 24 * 3_600_000
const idleDays = 14

/**
 * Why a worktree of a runner stays, as the end of a sentence about it; undefined when it can go. What is neither
 * committed nor somewhere else as well is never let go, and what a next run may want to go on in stays for a while.
 */
export async function whyKept(
  worktree: Worktree,
  now: number,
  options: GitOptions = {},
): Promise<string | undefined> {
  const { path, branch } = worktree
  if (worktree.isGone) return undefined
  if (readHolders(path).length > 0) return 'a run is at work in it'
  if (worktree.isHalfMade) return undefined
  const dirty = await dirtyFiles(path, options)
  if (dirty.length > 0) return `it has uncommitted changes (${named(dirty)})`
  if (branch === undefined) return 'it is on no branch'
  if (hasSubmodules(path))
    return 'it has submodules, and Git removes such a worktree by force alone'
  const state = await workIn(path, branch, options)
  if (state === 'merged') return undefined
  if (state === 'only here') return 'it has commits that are neither merged nor pushed'
  const idle = Math.floor((now - lastUsedAt(path)) / dayMs)
  return idle < idleDays ? `it goes once it was idle for ${idleDays} days` : undefined
}

async function workIn(path: string, branch: string, options: GitOptions) {
  const facts = readWorktreeFacts(path)
  const tip = await commitOf(path, 'HEAD', options)
  if (facts === undefined || tip === undefined) return 'only here'
  if (tip === facts.startSha) return 'none'
  const base = await findBase(path, facts.baseBranch, options)
  if (base !== undefined && (await holdsWork(path, base, tip, options))) return 'merged'
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

function named([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
