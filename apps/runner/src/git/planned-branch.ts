import { type BranchPlan, planBranch } from '@svc/contracts/branch-plan'
import type { AssignedBranches } from '@svc/contracts/assigned-branches'
import { type Assignment, type Sibling, usesWorktrees } from '@svc/contracts/assignment'
import { LaunchFailure } from '../launch-failure.ts'
import { type GitOptions, git } from './git.ts'
import type { NamedCheckout } from './named-checkout.ts'
import { type NamingInput, type ReserveBranch, nothingThere, settleName } from './reserved-name.ts'
import { type GoingBranch, findRecorded } from './recorded-branch.ts'
import { branchNames, commitOf, holdsCommit, holdsWork, resolveBase } from './refs.ts'
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

/** The branch that the run works on. Without `reserve`, as for a preview, nobody else hears of the name. */
export async function planCheckoutBranch(
  linked: NamedCheckout,
  assignment: Assignment,
  options: GitOptions,
  reserve?: ReserveBranch,
): Promise<PlannedBranch> {
  const { checkout } = linked
  await requireGit(checkout, options)
  const baseBranch = baseBranchOf(assignment)
  const { sha: base, isFetched } = await resolveBase(checkout, baseBranch, options)
  if (base === undefined) throw noBase(linked.name, baseBranch)
  const search = { linked, assignment, base, options }
  const input = inputOf(assignment, await branchNames(checkout, options))
  const found = await findBranches(search, assignment.branches)
  const recorded = reserve ? await named(search, input, found, reserve) : found
  const plan = planBranch({ ...input, recorded })
  const used = [recorded.objective, recorded.mission].find((one) => one?.branch === plan.branch)
  if (plan.cutFrom === null && used?.tip !== undefined) {
    const { startSha, tip, forwardTo } = used
    const unknown = await unrecorded(search, plan.branch, forwardTo ?? tip)
    const warnings = [...used.warnings, ...unknown]
    return { ...plan, startSha, createAt: tip, baseBranch, forwardTo, isResumed: false, warnings }
  }
  const start = plan.cutFrom === 'mission' ? (recorded.mission?.tip ?? base) : base
  const isOld = plan.cutFrom === 'base' && !isFetched
  const warnings = [
    ...(isOld
      ? [
          `Origin of ${linked.name} cannot be reached: ${plan.branch} begins at ${baseBranch} as it was fetched last.`,
        ]
      : []),
    ...(used?.warnings ?? []),
  ]
  const begun = { startSha: start, createAt: start, baseBranch, warnings }
  return { ...plan, ...begun, forwardTo: undefined, isResumed: false }
}

function inputOf(assignment: Assignment, taken: ReadonlySet<string>): NamingInput {
  const { mission, objective, executionRequest, siblings } = assignment
  return {
    mission: {
      title: mission.title,
      sequence: Number(mission.displayId.split(':').at(-1)),
      activeBranch: mission.active_branch,
    },
    objectiveKey: objective.displayId.split('.').at(-1) ?? '',
    siblingIsOlder: siblings.some(
      (one) =>
        mayWorkIn(one, executionRequest.resourceKey) &&
        ageOf(one.createdAt, one.requestId) <
          ageOf(executionRequest.createdAt, executionRequest.id),
    ),
    useWorktrees: usesWorktrees(assignment),
    taken,
  }
}

/** A run that has prepared nothing yet may come to work in any other resource as well: all agree that it is before them. */
function mayWorkIn({ resourceKey, alsoIn, branch }: Sibling, wanted: string | null): boolean {
  if (resourceKey === wanted) return true
  return wanted !== null && (alsoIn.includes(wanted) || (resourceKey !== null && branch === null))
}

/**
 * A key that sorts requests by age. The id breaks ties, so that all machines order two launches of one millisecond alike.
 */
function ageOf(createdAt: string, id: string): string {
  return `${createdAt} ${id}`
}

/** The name of the mission's branch is settled with the service where no run has recorded one to go on with. */
async function named(
  search: BranchSearch,
  input: NamingInput,
  found: Found,
  reserve: ReserveBranch,
): Promise<Found> {
  let recorded = found
  for (;;) {
    const isNamed = recorded.mission !== null && recorded.mission.verdict !== 'next'
    if (isNamed) return recorded
    const { linked, options, assignment } = search
    const { runnerId } = assignment.executionRequest
    const settled = await settleName({ linked, runnerId, input, recorded, options }, reserve)
    if ('going' in settled) return { ...recorded, mission: settled.going }
    recorded = await findBranches(search, settled.branches)
  }
}

/**
 * A sentence on commits of which the service has no record: those of a person, of a run whose end was never heard of, or
 * of all that came after the backup that the service was restored from. Whoever goes on without a look at them does the
 * same twice.
 */
async function unrecorded(
  { linked: { checkout, name }, assignment, options }: Omit<BranchSearch, 'base'>,
  branch: string,
  tip: string,
): Promise<string[]> {
  const { objective, mission } = assignment.branches
  const recorded = [objective, mission].find((one) => one?.branch === branch)
  if (!recorded || recorded.lastSha === tip) return []
  const { lastSha } = recorded
  const isAhead = await holdsCommit(checkout, tip, lastSha, options)
  const range = `${lastSha}..${tip}`
  const count = isAhead ? (await git(checkout, ['rev-list', '--count', range], options)).trim() : ''
  const where = isAhead
    ? `${count} ${count === '1' ? 'commit' : 'commits'} after ${shortOf(lastSha)}, the last one`
    : `at ${shortOf(tip)} and not at ${shortOf(lastSha)}, the last commit`
  return [
    `Branch ${branch} in ${name} is ${where} that the service has a record of: look at what is there before anything is done again.`,
  ]
}

function shortOf(sha: string): string {
  return sha.slice(0, 12)
}

/** The branch that the run was on which this one goes on with; undefined where it is no longer here. */
export async function planResumedBranch(
  linked: NamedCheckout,
  assignment: Assignment,
  options: GitOptions,
): Promise<PlannedBranch | undefined> {
  const { checkout } = linked
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
    warnings: await unrecorded({ linked, assignment, options }, branch, tip),
  }
}

function baseBranchOf({ resources, project, executionRequest }: Assignment): string {
  const resource = resources.find((one) => one.resourceKey === executionRequest.resourceKey)
  return resource?.defaultBranch ?? project.defaultBranch
}

interface BranchSearch {
  linked: NamedCheckout
  assignment: Assignment
  base: string
  options: GitOptions
}
interface Found {
  mission: GoingBranch | null
  objective: GoingBranch | null
}

/** The mission's branch is looked for only where the objective's own does not decide alone. */
async function findBranches(
  {
    linked,
    assignment: { executionRequest, mission: of, objective: its },
    base,
    options,
  }: BranchSearch,
  branches: AssignedBranches,
): Promise<Found> {
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
    const anew = `${resourceKey === null ? '' : `--resource ${resourceKey} `}--from-base`
    return findRecorded({ linked, base, sameRunner, push, anew, options }, recorded)
  }
  const objective = await find(its.displayId, branches.objective)
  if (objective?.verdict !== 'use') {
    return { objective, mission: await find(of.displayId, branches.mission) }
  }
  const { mission } = branches
  return { objective, mission: mission && { ...mission, verdict: 'use', ...nothingThere } }
}

/** Own branches of delivered siblings whose work this run would not find: a sentence for each. */
export async function missedWork(
  { checkout }: NamedCheckout,
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
