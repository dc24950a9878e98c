import { type BranchPlan, planBranch } from '@svc/contracts/branch-plan'
import { type Assignment, usesWorktrees } from '@svc/contracts/runner'
import { LaunchFailure } from '../launch-failure.ts'
import { type GitOptions } from './git.ts'
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
  /** The branch that this one is to be merged into. */
  baseBranch: string
  /** The run goes on with an earlier one, on its branch. */
  isResumed: boolean
  warnings: string[]
}

/** The branch that the run works on, as the service's preview plans it too. */
export async function planCheckoutBranch(
  place: Place,
  assignment: Assignment,
  options: GitOptions,
): Promise<PlannedBranch> {
  const { checkout } = place
  const { mission, objective, executionRequest } = assignment
  await requireGit(checkout, options)
  const baseBranch = baseBranchOf(assignment)
  const { sha: base, isFetched } = await resolveBase(checkout, baseBranch, options)
  if (base === undefined) throw noBase(place.name, baseBranch)
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
    useWorktrees: usesWorktrees(assignment),
    recorded,
    taken: await branchNames(checkout, options),
  })
  const used = [recorded.objective, recorded.mission].find((one) => one?.branch === plan.branch)
  if (plan.cutFrom === null && used?.tip !== undefined) {
    const { startSha, tip, forwardTo, warnings } = used
    return { ...plan, startSha, createAt: tip, baseBranch, forwardTo, isResumed: false, warnings }
  }
  const start = plan.cutFrom === 'mission' ? (recorded.mission?.tip ?? base) : base
  const isOld = plan.cutFrom === 'base' && !isFetched
  const warnings = isOld
    ? [
        `Origin of ${place.name} cannot be reached: ${plan.branch} begins at ${baseBranch} as it was fetched last.`,
      ]
    : []
  const begun = { startSha: start, createAt: start, baseBranch, warnings }
  return { ...plan, ...begun, forwardTo: undefined, isResumed: false }
}

/** The branch that the run was on which this one goes on with; undefined where it is no longer here. */
export async function planResumedBranch(
  { checkout }: Place,
  assignment: Assignment,
  options: GitOptions,
): Promise<PlannedBranch | undefined> {
  const { resume } = assignment
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
    baseBranch: baseBranchOf(assignment),
    isResumed: true,
    warnings: [],
  }
}

function baseBranchOf({ resources, project, executionRequest }: Assignment): string {
  const resource = resources.find((one) => one.resourceKey === executionRequest.resourceKey)
  return resource?.defaultBranch ?? project.defaultBranch
}

/** The mission's branch is looked for only where the objective's own does not decide alone. */
async function findBranches(
  place: Place,
  { branches, executionRequest, mission: of, objective: its }: Assignment,
  base: string,
  options: GitOptions,
): Promise<{ mission: GoingBranch | null; objective: GoingBranch | null }> {
  const { resourceKey, runnerId } = executionRequest
  const find = async (id: string, recorded: typeof branches.mission) => {
    if (recorded === null) return null
    const isAside = branches.fromBase
    const { branch, startSha } = recorded
    if (isAside) return { branch, startSha, verdict: 'next' as const, ...nothingThere }
    const sameRunner = recorded.runnerId === runnerId
    const push =
      resourceKey === null
        ? undefined
        : { operation: 'pushBranch' as const, params: { id, resourceKey } }
    return findRecorded({ place, base, sameRunner, push, options }, recorded)
  }
  const objective = await find(its.displayId, branches.objective)
  if (objective?.verdict !== 'use') {
    return { objective, mission: await find(of.displayId, branches.mission) }
  }
  const { mission } = branches
  return { objective, mission: mission && { ...mission, verdict: 'use', ...nothingThere } }
}

const nothingThere = { tip: undefined, forwardTo: undefined, warnings: [] }

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

export function noBase(name: string, branch: string): LaunchFailure {
  return new LaunchFailure(
    'bad_working_directory',
    `There is no commit on ${branch} in ${name}: commit something there, or name another branch.`,
    'prepare',
    { next: { operation: 'linkProjectResource', params: {} } },
  )
}
