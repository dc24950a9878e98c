import { type BranchPlan, planBranch } from '@svc/contracts/branch-plan'
import type { Assignment } from '@svc/contracts/runner'
import { LaunchFailure, LaunchRelease } from '../launch-failure.ts'
import { sliceText } from '../plan/clean-text.ts'
import { GitError, type GitOptions, git, gitIfPossible } from './git.ts'
import { commitOf, knownBranches, resolveBase } from './refs.ts'

export type PlannedBranch = BranchPlan & {
  /** The commit of the base branch. */
  base: string
}

/** The branch that the run works on, as the service's preview plans it too. */
export async function planCheckoutBranch(
  checkout: string,
  assignment: Assignment,
  options: GitOptions,
): Promise<PlannedBranch> {
  const { mission, objective, project, executionRequest } = assignment
  const resource = assignment.resources.find(
    (one) => one.resourceKey === executionRequest.resourceKey,
  )
  const baseBranch = resource?.defaultBranch ?? project.defaultBranch
  const base = await resolveBase(checkout, baseBranch, options)
  if (base === undefined) throw noBase(checkout, baseBranch)
  const recorded = [mission.active_branch, objective.branch].filter((name) => name !== null)
  const known = await knownBranches(checkout, base, recorded, options)
  const siblingIsOlder = assignment.siblings.some(
    (sibling) =>
      sibling.resourceKey === executionRequest.resourceKey &&
      sibling.createdAt < executionRequest.createdAt,
  )
  const plan = planBranch({
    mission: {
      title: mission.title,
      sequence: Number(mission.displayId.split(':').at(-1)),
      activeBranch: mission.active_branch,
    },
    objective: { key: objective.displayId.split('.').at(-1) ?? '', branch: objective.branch },
    siblingIsOlder,
    useWorktrees: project.useWorktrees,
    known,
  })
  return { ...plan, base }
}

/** Brings the checkout onto the branch and returns the commit at which the run begins. The lock is held. */
export async function switchToBranch(
  checkout: string,
  plan: PlannedBranch,
  useWorktrees: boolean,
  options: GitOptions,
): Promise<string> {
  if ((await currentBranch(checkout, options)) !== plan.branch) {
    const dirty = await dirtyFiles(checkout, options)
    if (dirty.length > 0) throw dirtyCheckout(checkout, plan.branch, dirty, useWorktrees)
    await switchClean(checkout, plan, options)
  }
  const head = await commitOf(checkout, 'HEAD', options)
  if (head === undefined) throw noBase(checkout, plan.branch)
  return head
}

/** Undefined when the checkout is on no branch. */
export async function currentBranch(
  checkout: string,
  options: GitOptions = {},
): Promise<string | undefined> {
  return (await gitIfPossible(checkout, ['symbolic-ref', '--short', '-q', 'HEAD'], options))?.trim()
}

/** Changed and untracked files, relative to the checkout. */
export async function dirtyFiles(checkout: string, options: GitOptions = {}): Promise<string[]> {
  const args = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=normal']
  const text = await git(checkout, args, options)
  return text
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => entry.slice(3))
}

export async function isRepository(path: string): Promise<boolean> {
  const top = await gitIfPossible(path, ['rev-parse', '--is-inside-work-tree'])
  return top?.trim() === 'true'
}

async function switchClean(
  checkout: string,
  plan: PlannedBranch,
  options: GitOptions,
): Promise<void> {
  try {
    await git(checkout, await switchArguments(checkout, plan, options), options)
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    throw new LaunchRelease(
      'checkout_busy',
      `Git does not switch ${checkout}: ${error.stderr.trim()}`,
      {
        cause: error,
      },
    )
  }
}

async function switchArguments(
  checkout: string,
  { branch, from, missionBranch, base }: PlannedBranch,
  options: GitOptions,
): Promise<string[]> {
  if (await commitOf(checkout, `refs/heads/${branch}`, options)) return ['switch', '--', branch]
  const remote = await commitOf(checkout, `refs/remotes/origin/${branch}`, options)
  if (remote) return ['switch', '--create', branch, '--no-track', remote]
  const mission =
    (await commitOf(checkout, `refs/heads/${missionBranch}`, options)) ??
    (await commitOf(checkout, `refs/remotes/origin/${missionBranch}`, options))
  const start = from === 'mission' && mission ? mission : base
  return ['switch', '--create', branch, '--no-track', start]
}

function dirtyCheckout(
  checkout: string,
  branch: string,
  files: readonly string[],
  useWorktrees: boolean,
): Error {
  const shown = files.slice(0, 20).join(', ')
  const message = `${checkout} has uncommitted changes and is not on ${branch}: commit or remove ${shown}.`
  return useWorktrees
    ? new LaunchRelease('checkout_busy', message)
    : new LaunchFailure('dirty_checkout', sliceText(message, 4000), 'prepare')
}

function noBase(checkout: string, branch: string): LaunchFailure {
  return new LaunchFailure(
    'bad_working_directory',
    `${checkout} has no commit on ${branch}: commit something there, or name another branch: svc resource link <project> <path> --base <branch>`,
    'prepare',
  )
}
