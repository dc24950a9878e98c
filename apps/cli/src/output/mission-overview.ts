import type { Client } from '@svc/client/client'
import type { MissionBranch } from '@svc/contracts/assigned-branches'
import type { RouteOutput } from '@svc/contracts/rest'
import { isNotMerged, notMerged } from '../branches/unmerged.ts'
import type { Cli } from '../cli.ts'
import { runnerHomeToRead } from '../runner-home.ts'
import { type Step, stepOf } from './next-step.ts'
import { type Runs, lastOfEach } from './run-end.ts'

type OverviewAnswer = RouteOutput<'getMissionOverview'>

/** All that a person wants to know of a mission. */
export interface Overview extends Omit<OverviewAnswer, 'nextSteps' | 'branches'> {
  /** Branches with work that is in no base, as far as this machine knows. */
  readonly unmerged: readonly MissionBranch[]
  readonly nextSteps: readonly Step[]
}

export async function readOverview(cli: Cli, client: Client, id: string): Promise<Overview> {
  const { branches, ...overview } = await client.call('getMissionOverview', { id })
  const unmerged = await isNotMerged(runnerHomeToRead(cli), branches)
  return { ...overview, unmerged, nextSteps: withBranches(overview, unmerged) }
}

/** What is merged is known where the repositories are; while there is anything else to do, that is not said. */
function withBranches(
  { mission, nextSteps }: Omit<OverviewAnswer, 'branches'>,
  unmerged: readonly MissionBranch[],
): Step[] {
  const steps = nextSteps.map(stepOf)
  const open = notMerged(mission.phase === 'cancelled' ? [] : unmerged)
  const isLast = nextSteps.every(({ next }) => lastOperations.has(next.operation))
  if (open === undefined || !isLast) return steps
  const reading = nextSteps.findIndex(({ next }) => next.operation === 'listDeliveries')
  const [why, command] = [`${open}: review it`, `svc review ${mission.displayId}`]
  const read = steps[reading]
  const closing = nextSteps.flatMap((step) =>
    step.next.operation === 'moveMission'
      ? [stepOf({ ...step, why: 'or close it without merging' })]
      : [],
  )
  return [{ why: read ? `${read.why}; ${why}` : why, command }, ...closing]
}

/** Where nothing but these is advised, the work of the mission is done. */
const lastOperations: ReadonlySet<string> = new Set(['listDeliveries', 'moveMission'])

export function lastRunsOf({ executionRequests }: Pick<Overview, 'executionRequests'>): Runs {
  return lastOfEach(executionRequests)
}
