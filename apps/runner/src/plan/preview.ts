import { join } from 'node:path'
import type { RunnerStep } from '@svc/contracts/next-step'
import { checksBefore } from '@svc/contracts/check'
import { Assignment, type Prepared } from '@svc/contracts/assignment'
import type { Rights } from '@svc/contracts/rights'
import type { Device } from '@svc/contracts/runner'
import { type FoundAgent, adapterRows, discoverAgents } from '../agents/discover.ts'
import type { Home } from '../files/home.ts'
import { checkoutState, readLinks } from '../files/resources.ts'
import { type Blocking, checkoutBusy, findBlocking } from '../git/blocking-holder.ts'
import { gitFolderOf, gitPath } from '../git/git.ts'
import { nameCheckout } from '../git/named-checkout.ts'
import { planCheckoutBranch } from '../git/planned-branch.ts'
import {
  type WorkingTree,
  findWorkingTree,
  leftBefore,
  refuseUnready,
  workingTreeInput,
} from '../git/working-tree.ts'
import { LaunchFailure, LaunchRelease } from '../launch-failure.ts'
import { type PlannedOrder, planLaunch, refuseUnstartable } from './launch-plan.ts'
import { briefingPath, scratchPath, tmpPath } from './paths.ts'
import { locateResources, otherResources } from './locate-resources.ts'
import { inWords, rightsOfRun, rightsWarnings, type RunRights } from './rights.ts'
import { refuseUntrusted } from './trust.ts'

export interface PreviewInput {
  /** As the service would answer a claim of this machine now. */
  assignment: Assignment
  home: Home
  serviceUrl: string
  device: Device
  env: NodeJS.ProcessEnv
  /** Agents that this machine's runner says it has; they may be on its PATH alone. */
  offered: readonly string[]
  /** What this machine's runner lets agents do at most. */
  maxRights: Rights
}

/** How a run would be started on this machine, and what would keep it from that. */
export interface LaunchPreview {
  workingDirectory: string
  /** Null in a scratch folder, and where a problem keeps it from being known. */
  branch: {
    name: string
    /** The branch that it would be cut from; null: it is there, and the run goes on with it. */
    cutFrom: string | null
    startSha: string
    warnings: string[]
  } | null
  /** What the agent may do, in words too, and what a person should know of it. */
  rights: RunRights & { inWords: string; warnings: string[] }
  argv: string[]
  variables: Record<string, string>
  preLaunchCommands: string[]
  /** What has to pass before its delivery. */
  checks: { name: string; command: string }[]
  problems: { code: string; message: string; next: RunnerStep | undefined }[]
}

type Order = PlannedOrder & Pick<PreviewInput, 'device'>

/** Nothing is made or switched, neither here nor in the checkout. Throws LaunchFailure where there is nothing to show. */
export async function previewLaunch(given: PreviewInput): Promise<LaunchPreview> {
  const input = { ...given, assignment: Assignment.parse(given.assignment) }
  const { assignment, env } = input
  const order = await orderOf(input)
  const linked = linkedOf(order)
  const problems: LaunchPreview['problems'] = []
  const into = { problems }
  await orProblem(into, () => refuseUntrusted({ ...order, ownHome: false }))
  const shown = { ...order, agent: order.agent ?? shownAgent(input) }
  const isHere = order.agent !== null || input.offered.includes(assignment.executionRequest.agent)
  await orProblem(into, () => refuseUnstartable(isHere ? shown : order))
  const tree = await orProblem(into, () => previewTree(order, linked, into))
  const { workingDirectory, checkout, branch } = tree ?? {
    workingDirectory: linked ?? scratchPath(order),
    checkout: 'scratch' as const,
    branch: null,
  }
  const { id: requestId, generation } = assignment.executionRequest
  const others = othersOf(order)
  const located = { workingDirectory, checkout, others }
  const ready = {
    prepared: { workingDirectory, others },
    gitFolder: linked === undefined ? '' : await gitFolderOf(linked),
    otherGitFolders: await gitFoldersOf(workingDirectory, others),
    context: {
      projectResources: locateResources(order, located, assignment.resources),
      questions: [],
    },
    tmpDirectory: tmpPath(order),
    contextFile: briefingPath(join(workingDirectory, '.svc', 'tmp'), { requestId, generation }),
    briefing: '',
  }
  const plan = planLaunch(shown, ready, env, '<session>')
  return {
    workingDirectory,
    branch,
    rights: {
      ...rightsOfRun(shown),
      inWords: inWords(shown.agent?.adapter, plan.rights),
      warnings: rightsWarnings(shown),
    },
    argv: plan.argvShown,
    variables: plan.variablesShown,
    preLaunchCommands: plan.preLaunchCommands,
    checks: checksOf(assignment),
    problems,
  }
}

function checksOf({ launchSettings, objective }: Assignment): LaunchPreview['checks'] {
  const known = launchSettings.checks ?? {}
  return checksBefore(Object.keys(known), objective.check).flatMap((name) => {
    const check = known[name]
    return check ? [{ name, command: check.command }] : []
  })
}

/** A worktree that is yet to be made has none of its own. */
async function gitFoldersOf(
  workingDirectory: string,
  others: ReturnType<typeof othersOf>,
): Promise<string[]> {
  const shared = await Promise.all(others.map((other) => gitFolderOf(other.linked)))
  const trees = [workingDirectory, ...others.map((other) => other.workingDirectory)]
  return [...shared, ...trees.flatMap((tree) => gitPath(tree, '') ?? [])]
}

async function orderOf({ assignment, home, env, ...input }: PreviewInput): Promise<Order> {
  const { agent: key } = assignment.executionRequest
  const scriptedAgent = env['SVC_SCRIPTED_AGENT']
  const [agent] = await discoverAgents({ home, env, scriptedAgent, only: [key] })
  const links = readLinks(home).filter((link) => link.projectId === assignment.project.id)
  return {
    ...input,
    assignment,
    home: home.folder,
    agentToken: null,
    agent: agent ? commandOf(agent) : null,
    checkouts: Object.fromEntries(links.map(({ resourceKey, path }) => [resourceKey, path])),
  }
}

function commandOf({ adapter, command }: Omit<FoundAgent, 'version'>) {
  return { adapter, command }
}

/** One that is not found from here is shown by the name of its program. */
function shownAgent({ home, assignment }: PreviewInput): PlannedOrder['agent'] {
  const { agent } = assignment.executionRequest
  const adapter = adapterRows(home).find(({ key }) => key === agent)
  return adapter ? commandOf({ adapter, command: [adapter.binary] }) : null
}

/** The checkout that it would be about; undefined without a resource. */
function linkedOf(order: Order): string | undefined {
  const { executionRequest, project } = order.assignment
  const { resourceKey } = executionRequest
  if (resourceKey === null) return undefined
  const path = order.checkouts[resourceKey]
  if (path !== undefined && checkoutState(path) === 'usable') return path
  throw new LaunchFailure(
    'bad_working_directory',
    path === undefined
      ? `Resource ${resourceKey} of project ${project.slug} is not linked on this machine, so the run would be another's.`
      : `${path}, linked as ${resourceKey}, is not a Git checkout that can be written to: repair it or link another.`,
    'prepare',
    { next: { operation: 'connectResource', params: { resourceKey } } },
  )
}

/** Which branch the mission has there is known to the run alone: its folder is shown by what it is. */
function othersOf(order: Order) {
  return otherResources(order).flatMap((resourceKey) => {
    const linked = order.checkouts[resourceKey]
    if (linked === undefined || checkoutState(linked) !== 'usable') return []
    return [{ resourceKey, linked, workingDirectory: `<worktree of ${resourceKey}>` }]
  })
}

interface PreviewTree extends Pick<LaunchPreview, 'workingDirectory' | 'branch'> {
  checkout: Prepared['checkout']
}

async function previewTree(
  order: Order,
  checkout: string | undefined,
  into: Pick<LaunchPreview, 'problems'>,
): Promise<PreviewTree> {
  if (checkout === undefined) {
    return { workingDirectory: scratchPath(order), checkout: 'scratch', branch: null }
  }
  const { assignment, device, home } = order
  const linked = nameCheckout(checkout, assignment, device.label)
  const plan = await planCheckoutBranch(linked, assignment, {})
  const tree = await findWorkingTree(workingTreeInput(linked, assignment, home), plan, {})
  const { branch: name, cutFrom, missionBranch, startSha, baseBranch } = plan
  const found = await orProblem(into, () => lookInto(tree, name, assignment))
  const warnings = [...plan.warnings, ...(found ?? [])]
  const from = cutFrom === 'mission' ? missionBranch : cutFrom && baseBranch
  const branch = { name, cutFrom: from, startSha, warnings }
  return { workingDirectory: tree.checkout, checkout: tree.kind, branch }
}

/** What the run would meet where it is to work, in words; what would keep it from there is thrown. */
async function lookInto(
  tree: WorkingTree,
  branch: string,
  assignment: Assignment,
): Promise<string[]> {
  if (tree.isNew) return []
  const blocking = await findBlocking(assignment, tree, branch)
  if (blocking !== undefined) return [waitFor(tree, blocking)]
  await refuseUnready(tree, branch, {})
  return await leftBefore(tree, {})
}

function waitFor(tree: WorkingTree, { heldBy, relation }: Blocking): string {
  const { name } = tree
  if (relation === 'own')
    return `An earlier run of this objective is in ${name}: it is ended first.`
  if (relation === 'predecessor')
    return `A run that has delivered, or is lost, is in ${name}: it is waited for, and then ended.`
  throw checkoutBusy(tree, heldBy)
}

/** Adds to the problems what would keep the run from starting, and goes on with the rest. */
async function orProblem<T>(
  { problems }: Pick<LaunchPreview, 'problems'>,
  work: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    const isProblem = error instanceof LaunchFailure || error instanceof LaunchRelease
    if (!isProblem) throw error
    const code = error instanceof LaunchFailure ? error.code : error.reason
    problems.push({ code, message: error.message, next: error.next })
    return undefined
  }
}
