import type { MissionEvent } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import type { RouteOutput } from '@svc/contracts/rest'
import { calledOff } from './called-off.ts'
import { type Overview, stepsOfMission } from './missions.ts'
import type { Permits } from './permits.ts'
import { type OfferingRunner, agentsOf, untakenOf } from './runs.ts'

type Answer = RouteOutput<'getMissionOverview'>

/** What was read of a mission, the newest first; its queues are whole. */
interface Known extends Omit<Answer, 'workers' | 'calledOff' | 'untaken' | 'agents' | 'nextSteps'> {
  readonly events: readonly MissionEvent[]
  /** Undefined for who may list none. */
  readonly runners: readonly OfferingRunner[] | undefined
}

export function adviseOnMission(
  { events, runners, artifacts, branches, ...known }: Known,
  permits: Permits,
): Answer {
  const { objectives, executionRequests } = known
  const own = new Set(objectives.map(({ id }) => id))
  const holding = known.queues.map(({ entries, ...queue }) => ({
    ...queue,
    entries: entries.filter(({ objectiveId }) => own.has(objectiveId)),
  }))
  const shown = {
    ...known,
    queues: holding.filter(({ entries }) => entries.length > 0),
    workers: objectives.flatMap((objective) => workerOn(objective, events)),
    calledOff: Object.fromEntries(calledOff(events)),
    ...(runners && { agents: [...agentsOf(runners)] }),
  } satisfies Omit<Overview, 'runners'>
  return {
    ...shown,
    artifacts,
    branches,
    untaken: untakenOf(runners, executionRequests),
    nextSteps: stepsOfMission({ ...shown, runners }, permits),
  }
}

function workerOn({ id, state }: Objective, events: readonly MissionEvent[]): Answer['workers'] {
  if (state !== 'executing') return []
  const attached = events.find(
    ({ objectiveId, type }) => objectiveId === id && type === 'session_attached',
  )
  const { agent, executionRequestId } = attached?.data ?? {}
  if (typeof agent !== 'string') return []
  const run = typeof executionRequestId === 'string' ? executionRequestId : null
  return [{ objectiveId: id, agent, executionRequestId: run }]
}
