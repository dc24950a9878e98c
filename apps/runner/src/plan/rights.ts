import { rightsOf } from '@svc/contracts/launch-settings'
import {
  type Rights,
  covers,
  defaultRights,
  lowerRights,
  rightsInWords,
} from '@svc/contracts/rights'
import type { Adapter } from '../agents/adapter.ts'
import type { RunOrder } from '../run/order.ts'

/** What the agent of a run may do, and who says so. */
export interface RunRights {
  /** The lower one of the two below. */
  rights: Rights
  ofProject: Rights
  /** The project has set these rights; else they are the default. */
  isSet: boolean
  /** The most that the runner allows. */
  bound: Rights
}

type Order = Pick<RunOrder, 'assignment' | 'maxRights'>

/**
 * Rights come with the claim and are not frozen by the launch, so that what a project takes away is gone with the next run.
 */
export function rightsOfRun({ assignment, maxRights: bound }: Order): RunRights {
  const { launchSettings, executionRequest } = assignment
  const ofProject = rightsOf(launchSettings, executionRequest.agent)
  const isSet = launchSettings.agentRights?.[executionRequest.agent] === ofProject
  return { rights: lowerRights(ofProject, bound), ofProject, isSet, bound }
}

/** What an agent may do, in words that follow "it may". */
export function inWords(adapter: Adapter | undefined, rights: Rights): string {
  return adapter?.rightsInWords?.[rights] ?? rightsInWords[rights]
}

/** What an agent is told of what it may do: nothing where that is what agents usually may, or more. */
export function heldTo(order: Order & Pick<RunOrder, 'agent'>): string | null {
  const { rights } = rightsOfRun(order)
  return covers(rights, defaultRights) ? null : inWords(order.agent?.adapter, rights)
}

/** What a person should know of a run whose rights are not simply those of its project. */
export function rightsWarnings(order: Order & Pick<RunOrder, 'agent' | 'device'>): string[] {
  const { executionRequest, project } = order.assignment
  const { rights, ofProject, bound } = rightsOfRun(order)
  const [agent, runner] = [executionRequest.agent, order.device.label]
  const warnings: string[] = []
  if (rights !== ofProject) {
    warnings.push(
      `Runner ${runner} gives agents at most the rights \`${bound}\`, and project ${project.slug} gives ${agent} \`${ofProject}\`: here it may ${inWords(order.agent?.adapter, rights)}.`,
    )
  }
  if (bound !== 'all' && executionRequest.config.flags.value.length > 0) {
    warnings.push(
      `The flags of project ${project.slug} are given to ${agent} as they are: they may let it do more than \`${bound}\`, the most that runner ${runner} gives.`,
    )
  }
  if (!isHeld(order.agent?.adapter) && !covers(rights, defaultRights)) {
    warnings.push(
      `Nothing holds ${agent} to the rights \`${rights}\`: runner ${runner} was not told how, by \`rights\` in its agents.json.`,
    )
  }
  return warnings
}

/** By words of its row, or by its supervisor, whom it asks. */
function isHeld(adapter: Adapter | undefined): boolean {
  return adapter?.rights !== undefined || adapter?.protocol === 'acp'
}
