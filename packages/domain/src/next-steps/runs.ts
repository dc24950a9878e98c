import type { AdvisedStep } from '@svc/contracts/advised-step'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import { missionOfDisplayId } from '@svc/contracts/ids'
import type { NextStep } from '@svc/contracts/next-step'
import type { Objective } from '@svc/contracts/objective'
import type { MissionEvent } from '@svc/contracts/mission'
import type { RouteOutput } from '@svc/contracts/rest'
import { type AgentLimit, describeHold } from '@svc/contracts/agent-limit'
import { holdOf, stateOfRun } from '@svc/contracts/run-end'
import {
  type LastOutcome,
  type StatusType,
  isClosed,
  isLive,
  isNotStarted,
} from '@svc/contracts/states'
import { calledOff } from './called-off.ts'
import type { Permits } from './permits.ts'

/** What a run does not hold itself, as far as whoever asks may read it. */
interface RunContext {
  /** None where it was deleted. */
  readonly of: { readonly objective: Objective; readonly phase: StatusType } | undefined
  readonly runners: readonly OfferingRunner[] | undefined
  /** The newest first. */
  readonly events: readonly MissionEvent[]
}

export function adviseOnRun(
  run: ExecutionRequest,
  { of, runners, events }: RunContext,
  permits: Permits,
): RouteOutput<'getExecutionRequest'> {
  const ended = isCalledOff(run) ? calledOff(events).get(run.id) : undefined
  const untaken =
    (run.lastRelease ? undefined : whyUntaken(runners, run)) ?? whySilent(runners, run)
  const steps = of === undefined ? [] : stepsOfRun(run, of.objective, of.phase)
  return {
    executionRequest: run,
    reason: ended ?? untaken ?? null,
    nextSteps: steps.filter(({ next }) => permits(next)),
  }
}

/** Who did and why stands in the history of its mission. */
export function isCalledOff(run: ExecutionRequest): boolean {
  return !isLive(run) && stateOfRun(run) === 'cancelled'
}

/** What a person may do about it, of whatever age it is. In a closed mission nothing is launched. */
function stepsOfRun(run: ExecutionRequest, objective: Objective, phase: StatusType): AdvisedStep[] {
  if (isLive(run)) {
    const off = { why: 'call it off', next: cancel(run) }
    return run.cancelRequestedAt ? [] : [...stepsOfHeld(run, objective), off]
  }
  const again = launchAgain(objective, run)
  if (again === undefined || isClosed(phase)) return []
  const onwards = resumeStep(objective, run)
  return [
    ...(onwards ? [{ why: 'go on with it', next: onwards }] : []),
    { why: onwards ? 'or begin it anew' : 'launch it again', next: again },
  ]
}

/** What a person may do who knows that the limit is over already. */
function stepsOfHeld(run: ExecutionRequest, objective: Objective): AdvisedStep[] {
  if (!holdOf(run)) return []
  const { next } = run.lastRelease ?? {}
  const goOn: NextStep = { operation: 'resumeObjective', params: { id: objective.displayId } }
  const isGoingOn = objective.state === 'executing'
  return [
    ...(next ? [{ why: 'let its runner try the agent again now', next }] : []),
    ...(isGoingOn ? [{ why: 'let it go on now', next: goOn }] : []),
  ]
}

function cancel({ id }: ExecutionRequest): NextStep {
  return { operation: 'cancelExecutionRequest', params: { id } }
}

/** The launch of a stopped run's objective, where it can be launched, on the runner that was chosen for it. */
export function launchAgain(
  objective: Pick<Objective, 'displayId' | 'state'>,
  run: ExecutionRequest,
  agent = run.agent,
): NextStep | undefined {
  const stopped = !isLive(run) && run.outcome !== 'delivered'
  if (!stopped || !isNotStarted(objective.state)) return undefined
  const { operation, params } = launchLike(objective, run, agent)
  return { operation, params: { ...params, ...(run.onlyRunner && { runner: run.onlyRunner }) } }
}

/** In the same checkout. */
export function launchLike(
  { displayId: id }: Pick<Objective, 'displayId'>,
  { resourceKey }: ExecutionRequest,
  agent: string,
): NextStep<'launchObjective'> {
  const params = { id, agent, ...(resourceKey !== null && { resourceKey }) }
  return { operation: 'launchObjective', params }
}

/** How to go on with a run that was lost or ended without a delivery, where it was the last of the objective. */
export function resumeStep(
  { displayId: id, state, lastOutcome }: Pick<Objective, 'displayId' | 'state' | 'lastOutcome'>,
  run: ExecutionRequest,
): NextStep | undefined {
  if (run.workedOnSince) return undefined
  const isStopped = run.outcome !== null && run.outcome === lastOutcome && stops.has(lastOutcome)
  // what was to go on with such a run never began
  const neverWentOn = run.kind === 'resume' && !isLive(run) && run.status !== 'launched'
  if (!(isStopped || neverWentOn) || !isNotStarted(state)) return undefined
  return { operation: 'resumeObjective', params: { id } }
}

const whyNothingCame: { readonly [O in LastOutcome]?: string } = {
  lost: 'nothing was heard of its agent for too long',
  exited: 'its agent ended without a delivery',
  question_expired: 'its question was open for too long',
}

/** Why the last run of an objective came to nothing, as far as the objective itself knows. */
export function whyStopped(outcome: LastOutcome | null): string | undefined {
  return outcome === null ? undefined : whyNothingCame[outcome]
}

const stops: ReadonlySet<string> = new Set(['lost', 'exited'])

/** What a runner offers, as far as it matters to who waits for one. */
export interface OfferingRunner {
  readonly id: string
  readonly label: string
  readonly state: 'connected' | 'unavailable'
  readonly agents: readonly string[]
  readonly heldAgents?: readonly { key: string; reason: AgentLimit; until: string }[] | undefined
}

/** Why no runner takes which run, or nothing is heard of the one that has it, by its id. */
export function untakenOf(
  runners: readonly OfferingRunner[] | undefined,
  runs: readonly ExecutionRequest[],
): Record<string, string> {
  const untaken = runs.flatMap((run) => {
    const why = whyUntaken(runners, run) ?? whySilent(runners, run)
    return why === undefined ? [] : [[run.id, why] as const]
  })
  return Object.fromEntries(untaken)
}

export function agentsOf(runners: readonly OfferingRunner[]): readonly string[] {
  const connected = runners.filter(({ state }) => state === 'connected')
  return [...new Set(connected.flatMap(({ agents }) => agents))]
}

/** It is queued for a runner that is not there, or for an agent that no connected runner has. */
export function whyUntaken(
  runners: readonly OfferingRunner[] | undefined,
  run: Pick<ExecutionRequest, 'status' | 'onlyRunner' | 'agent'> | undefined,
): string | undefined {
  if (run?.status !== 'queued' || !runners) return undefined
  const { onlyRunner: name, agent } = run
  const named = runners.filter(({ label }) => name === null || label === name)
  if (name !== null && named.length === 0) return `no runner is called ${name}`
  const connected = named.filter(({ state }) => state === 'connected')
  if (name !== null && connected.length === 0) return `the runner ${name} is away`
  if (connected.some(({ agents }) => agents.includes(agent))) return undefined
  for (const { label, heldAgents = [] } of connected) {
    const held = heldAgents.find(({ key }) => key === agent)
    if (held) return `the runner ${label} holds ${describeHold({ agent, ...held })}`
  }
  if (name !== null) return `the runner ${name} does not offer ${agent}`
  const away = awayWith(runners, agent)
  return away === undefined ? `no runner offers ${agent}` : `${away}, and no other offers ${agent}`
}

/** An agent is at work on it, or about to be, on a runner of which nothing is heard. */
export function whySilent(
  runners: readonly OfferingRunner[] | undefined,
  run: Pick<ExecutionRequest, 'status' | 'outcome' | 'runnerId' | 'cancelRequestedAt'> | undefined,
): string | undefined {
  const isHeld = run && heldStates.has(run.status) && (run.outcome ?? 'running') === 'running'
  const own =
    isHeld && !run.cancelRequestedAt ? runners?.find(({ id }) => id === run.runnerId) : undefined
  if (own === undefined || own.state === 'connected') return undefined
  return `nothing is heard of the runner ${own.label}, which has it: should it stay away, the run is given up in the end, and can be launched anew`
}

const heldStates: ReadonlySet<string> = new Set(['claimed', 'launching', 'launched'])

/** Those that would offer the agent, were they here; undefined where there are none. */
function awayWith(runners: readonly OfferingRunner[], agent: string): string | undefined {
  const away = runners.filter(
    ({ state, agents }) => state !== 'connected' && agents.includes(agent),
  )
  const [one, ...more] = away.map(({ label }) => label)
  if (one === undefined) return undefined
  return more.length === 0
    ? `the runner ${one} is away`
    : `the runners ${[one, ...more].join(', ')} are away`
}

/**
 * Where a runner that is here could take it, as far as is known, and none has yet: which ones are away that may be needed
 * for it. `before`: the run that it goes on with, which its machine alone can.
 */
export function whoIsAway(
  runners: readonly OfferingRunner[] | undefined,
  run: Pick<ExecutionRequest, 'kind' | 'agent'>,
  before: Pick<ExecutionRequest, 'runnerLabel'> | undefined,
): string | undefined {
  if (!runners) return undefined
  const own = runners.find(({ label }) => label === before?.runnerLabel)
  if (run.kind !== 'resume' || own === undefined) return awayWith(runners, run.agent)
  return own.state === 'connected'
    ? undefined
    : `its runner ${own.label} is away, which alone goes on with it`
}

/** The project is the first word of every display id. */
export function projectOf(displayId: string): string {
  const [project = ''] = missionOfDisplayId(displayId).split(':')
  return project
}
