import { realpathSync } from 'node:fs'
import { type Assignment, usesWorktrees } from '@svc/contracts/assignment'
import { homeAt, worktreesRoot } from '../files/home.ts'
import { LaunchFailure, LaunchRelease } from '../launch-failure.ts'
import {
  branchElsewhere,
  bringUp,
  currentBranch,
  dirtyFiles,
  isElsewhere,
  nameFiles,
  refuseSwitch,
  switchToBranch,
} from './checkout.ts'
import { GitError, type GitOptions } from './git.ts'
import type { NamedCheckout } from './named-checkout.ts'
import { type PlannedBranch, noBase } from './planned-branch.ts'
import { commitOf } from './refs.ts'
import { initSubmodules } from './submodules.ts'
import { refuseUnfinished } from './unfinished.ts'
import * as worktrees from './worktrees.ts'

/** Where a run works: a worktree of its branch, or a checkout that is a person's own. */
export interface WorkingTree extends NamedCheckout {
  kind: 'own' | 'worktree'
  /** Its folder is yet to be made. */
  isNew: boolean
  /** What is uncommitted in it is work of the mission's own. */
  mayBeDirty: boolean
  /** What stands in the way of a new one, and holds nothing: gone, or never written out. */
  stale?: readonly (worktrees.Worktree & { root: string })[]
}

export interface WorkingTreeInput {
  /** The checkout that the person linked. */
  linked: NamedCheckout
  useWorktrees: boolean
  /** Folder of the runner's worktrees, as Git writes it. */
  root: string
  name: Pick<worktrees.WorktreeName, 'projectSlug' | 'resourceKey'>
}

/** What is needed to find the working tree of a run on that checkout, for a runner with that home. */
export function workingTreeInput(
  linked: NamedCheckout,
  assignment: Assignment,
  home: string,
): WorkingTreeInput {
  const { project, executionRequest } = assignment
  return {
    linked,
    useWorktrees: usesWorktrees(assignment),
    root: worktreesRoot(homeAt(home)),
    name: { projectSlug: project.slug, resourceKey: executionRequest.resourceKey ?? '' },
  }
}

/**
 * The working tree that has the branch, whosever it is, since no second one can have it; else one that is to be made. A
 * person's own is never switched to another branch, unless the project goes without worktrees.
 */
export async function findWorkingTree(
  { linked, useWorktrees, root, name }: WorkingTreeInput,
  { branch }: PlannedBranch,
  options: GitOptions,
): Promise<WorkingTree> {
  if (!useWorktrees) return { ...linked, kind: 'own', isNew: false, mayBeDirty: true }
  const all = await worktrees.listWorktrees(linked.checkout, options)
  const isOurs = ({ path }: worktrees.Worktree) => worktrees.isBelow(root, path)
  const isUsable = (one: worktrees.Worktree) => !one.isGone && !one.isHalfMade
  const path = worktrees.worktreePath(root, { ...name, branch })
  const stale = all.filter(
    (one) => (one.branch === branch || one.path === path) && isOurs(one) && !isUsable(one),
  )
  for (const one of stale) if (one.isGone) refuseOccupied(one.path, branch)
  const having = all.find((one) => one.branch === branch && isUsable(one))
  const ours = {
    name: `worktree ${branch} of ${linked.name}`,
    kind: 'worktree',
    mayBeDirty: true,
  } as const
  if (having !== undefined) {
    const { path: checkout } = having
    if (isOurs(having)) return { ...ours, checkout, isNew: false }
    const isLinked = checkout === realpathSync(linked.checkout)
    const called = isLinked ? linked.name : `another worktree of ${linked.name}`
    return { checkout, name: called, kind: 'own', isNew: false, mayBeDirty: false }
  }
  const isNew = !all.some((one) => one.path === path && isUsable(one))
  if (isNew && stale.length === 0) refuseOccupied(path, branch)
  return { ...ours, checkout: path, isNew, stale: stale.map((one) => ({ ...one, root })) }
}

function refuseOccupied(path: string, branch: string): void {
  if (!worktrees.isOccupied(path)) return
  throw new LaunchFailure(
    'branch_conflict',
    `${path} is where the worktree of ${branch} belongs, and something else is there: move it away and launch again.`,
    'prepare',
  )
}

/** Makes the working tree ready. Answers the commit at which the run begins, and what a person should know. */
export async function enterWorkingTree(
  linked: NamedCheckout,
  tree: WorkingTree,
  plan: PlannedBranch,
  options: GitOptions,
): Promise<{ baseSha: string; warnings: string[] }> {
  const warnings = [...plan.warnings]
  if (tree.isNew) warnings.push(...(await make(linked, tree, plan, options)))
  else await reuse(tree, plan, options)
  warnings.push(...(await bringUp(tree, plan, options)))
  const baseSha = await commitOf(tree.checkout, 'HEAD', options)
  if (baseSha === undefined) throw noBase(tree.name, plan.branch)
  warnings.push(...(await leftBefore(tree, options)))
  return { baseSha, warnings }
}

/** A sentence on what a run finds there that is in no commit. */
export async function leftBefore(
  { checkout }: NamedCheckout,
  options: GitOptions,
): Promise<string[]> {
  const dirty = await dirtyFiles(checkout, options)
  if (dirty.length === 0) return []
  return [`What is not committed there is from before this run: ${nameFiles(dirty, 5)}.`]
}

async function reuse(tree: WorkingTree, plan: PlannedBranch, options: GitOptions): Promise<void> {
  await refuseUnready(tree, plan.branch, options)
  const isOnBranch = (await currentBranch(tree.checkout, options)) === plan.branch
  if (!isOnBranch) await switchToBranch(tree, plan, options)
}

/** Refuses a working tree that is there, but not in a state to work in on the branch. */
export async function refuseUnready(
  tree: WorkingTree,
  branch: string,
  options: GitOptions,
): Promise<void> {
  const { checkout, name, mayBeDirty } = tree
  if ((await currentBranch(checkout, options)) !== branch) {
    await refuseUnfinished(tree, options)
    return await refuseSwitch(tree, branch, options)
  }
  if (mayBeDirty) return
  const dirty = await dirtyFiles(checkout, options)
  if (dirty.length === 0) return
  throw new LaunchRelease(
    'checkout_busy',
    `Branch ${branch} is checked out in ${name} with changes that are not committed: commit or stash ${nameFiles(dirty, 5)}, or switch to another branch there.`,
    { checkout },
  )
}

async function make(
  linked: NamedCheckout,
  { checkout, name, stale = [] }: WorkingTree,
  { branch, createAt }: PlannedBranch,
  options: GitOptions,
): Promise<string[]> {
  try {
    for (const one of stale) await worktrees.removeWorktree(linked.checkout, one, one.root, options)
    const isHere = (await commitOf(linked.checkout, `refs/heads/${branch}`, options)) !== undefined
    const what = { branch, createAt: isHere ? undefined : createAt }
    const said = await worktrees.addWorktree(linked.checkout, checkout, what, options)
    const hook = said === undefined ? [] : [`A hook of ${name} failed: ${said}`]
    return [...hook, ...(await initSubmodules(checkout, name, options))]
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    throw notMade(linked, branch, error)
  }
}

function notMade({ name }: NamedCheckout, branch: string, cause: GitError): Error {
  const { said } = cause
  if (isElsewhere(cause)) return branchElsewhere(name, branch, cause)
  if (said.includes('No space left')) {
    const text = `The disk of ${name} is full: make room and launch again.`
    return new LaunchFailure('disk_full', text, 'prepare', { cause })
  }
  return new LaunchFailure(
    'branch_conflict',
    `Git makes no worktree of ${branch} in ${name}: ${said}. Put that right there and launch again.`,
    'prepare',
    { cause },
  )
}
