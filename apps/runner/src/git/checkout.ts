import { type BranchPlan, planBranch } from '@svc/contracts/branch-plan'
import { cutText } from '@svc/contracts/cut-text'
import type { Assignment } from '@svc/contracts/runner'
import { LaunchFailure, LaunchRelease } from '../launch-failure.ts'
import { GitError, type GitOptions, git, gitIfPossible } from './git.ts'
import type { Place } from './place.ts'
import { type GoingBranch, findRecorded } from './recorded-branch.ts'
import { branchNames, commitOf, holdsWork, resolveBase } from './refs.ts'
import { requireGit } from './require-git.ts'

export type PlannedBranch = BranchPlan & {
  /** The commit at which the branch was cut, or is to be. */
  startSha: string
  /** Where it begins when this checkout does not have it yet. */
  createAt: string
  forwardTo: string | undefined
  warnings: string[]
}

/** The branch that the run works on, as the service's preview plans it too. */
export async function planCheckoutBranch(
  place: Place,
  assignment: Assignment,
  options: GitOptions,
): Promise<PlannedBranch> {
  const { checkout } = place
  const { mission, objective, project, executionRequest } = assignment
  await requireGit(checkout, options)
  const base = await requireBase(place, assignment, options)
  const recorded = await findBranches(place, assignment, base, options)
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
    objectiveKey: objective.displayId.split('.').at(-1) ?? '',
    siblingIsOlder,
    useWorktrees: project.useWorktrees,
    recorded,
    taken: await branchNames(checkout, options),
  })
  const used = [recorded.objective, recorded.mission].find((one) => one?.branch === plan.branch)
  if (plan.cutFrom === null && used?.tip !== undefined) {
    const { startSha, tip, forwardTo, warnings } = used
    return { ...plan, startSha, createAt: tip, forwardTo, warnings }
  }
  const start = plan.cutFrom === 'mission' ? (recorded.mission?.tip ?? base) : base
  return { ...plan, startSha: start, createAt: start, forwardTo: undefined, warnings: [] }
}

/** The branch that the run was on which this one goes on with; undefined where it is no longer here. */
export async function planResumedBranch(
  { checkout }: Place,
  { resume }: Assignment,
  options: GitOptions,
): Promise<PlannedBranch | undefined> {
  const { branch = null, missionBranch = null, startSha = null } = resume?.prepared ?? {}
  if (branch === null) return undefined
  const tip = await commitOf(checkout, `refs/heads/${branch}`, options)
  if (tip === undefined) return undefined
  return {
    branch,
    missionBranch: missionBranch ?? branch,
    cutFrom: null,
    startSha: startSha ?? tip,
    createAt: tip,
    forwardTo: undefined,
    warnings: [],
  }
}

async function requireBase(
  { checkout, name }: Place,
  { resources, project, executionRequest }: Assignment,
  options: GitOptions,
): Promise<string> {
  const resource = resources.find((one) => one.resourceKey === executionRequest.resourceKey)
  const branch = resource?.defaultBranch ?? project.defaultBranch
  const base = await resolveBase(checkout, branch, options)
  if (base === undefined) throw noBase(name, branch)
  return base
}

/** The mission's branch is looked for only where the objective's own does not decide alone. */
async function findBranches(
  place: Place,
  { branches, executionRequest }: Assignment,
  base: string,
  options: GitOptions,
): Promise<{ mission: GoingBranch | null; objective: GoingBranch | null }> {
  const find = async (recorded: typeof branches.mission) => {
    if (recorded === null) return null
    const isAside = branches.fromBase
    const { branch, startSha } = recorded
    if (isAside) return { branch, startSha, verdict: 'next' as const, ...nothingThere }
    const sameRunner = recorded.runnerId === executionRequest.runnerId
    return findRecorded({ place, base, sameRunner, options }, recorded)
  }
  const objective = await find(branches.objective)
  if (objective?.verdict !== 'use') return { objective, mission: await find(branches.mission) }
  const { mission } = branches
  return { objective, mission: mission && { ...mission, verdict: 'use', ...nothingThere } }
}

const nothingThere = { tip: undefined, forwardTo: undefined, warnings: [] }

/**
 * Brings the checkout onto the branch. Answers the commit at which the run begins, and what a person should know. The
 * lock is held.
 */
export async function switchToBranch(
  place: Place,
  plan: PlannedBranch,
  useWorktrees: boolean,
  options: GitOptions,
): Promise<{ baseSha: string; warnings: string[] }> {
  const { checkout } = place
  if ((await currentBranch(checkout, options)) !== plan.branch) {
    const dirty = await dirtyFiles(checkout, options)
    if (dirty.length > 0) throw dirtyCheckout(place, plan.branch, dirty, useWorktrees)
    await switchClean(place, plan, options)
  }
  const warnings = [...plan.warnings, ...(await forward(place, plan, options))]
  const head = await commitOf(checkout, 'HEAD', options)
  if (head === undefined) throw noBase(place.name, plan.branch)
  return { baseSha: head, warnings }
}

/** Uncommitted changes may stand in the way: they are left alone, and so is the branch. */
async function forward(
  { checkout, name }: Place,
  { branch, forwardTo }: PlannedBranch,
  options: GitOptions,
): Promise<string[]> {
  if (forwardTo === undefined) return []
  const args = ['merge', '--ff-only', '--quiet', forwardTo]
  if ((await gitIfPossible(checkout, args, options)) !== undefined) return []
  return [
    `Branch ${branch} in ${name} is behind the one at origin, and uncommitted changes keep it from being brought up.`,
  ]
}

/** Own branches of delivered siblings whose work this run would not find: a sentence for each. */
export async function missedWork(
  { checkout }: Place,
  { branches }: Assignment,
  head: string,
  options: GitOptions,
): Promise<string[]> {
  const missed: string[] = []
  for (const { displayId, branch, lastSha } of branches.delivered) {
    if (await holdsWork(checkout, head, lastSha, options)) continue
    missed.push(
      `Branch ${branch} of ${displayId}, which was delivered, is not in this branch: merge it if its work is needed.`,
    )
  }
  return missed
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
  { checkout, name }: Place,
  { branch, createAt }: PlannedBranch,
  options: GitOptions,
): Promise<void> {
  const isHere = (await commitOf(checkout, `refs/heads/${branch}`, options)) !== undefined
  const create = ['switch', '--quiet', '--create', branch, '--no-track', createAt]
  try {
    await git(checkout, isHere ? ['switch', '--quiet', '--', branch] : create, options)
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    throw new LaunchRelease(
      'checkout_busy',
      `Git does not switch ${name} to ${branch}: if another worktree has that branch, free it there.`,
      { cause: error },
    )
  }
}

function dirtyCheckout(
  { name }: Place,
  branch: string,
  files: readonly string[],
  useWorktrees: boolean,
): Error {
  const told = (most: number) => {
    const more = files.length > most ? ` and ${files.length - most} more` : ''
    return `${name} is not on branch ${branch} and has uncommitted changes: commit or stash ${files.slice(0, most).join(', ')}${more}.`
  }
  const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
  return useWorktrees
    ? new LaunchRelease('checkout_busy', sentence(told(5)))
    : new LaunchFailure('dirty_checkout', cutText(sentence(told(20)), 4000), 'prepare')
}

function noBase(name: string, branch: string): LaunchFailure {
  return new LaunchFailure(
    'bad_working_directory',
    `There is no commit on ${branch} in ${name}: commit something there, or name another branch.`,
    'prepare',
    { next: { operation: 'linkProjectResource', params: {} } },
  )
}
