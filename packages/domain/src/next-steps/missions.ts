import type { AdvisedStep } from '@svc/contracts/advised-step'
import { spentBound } from '@svc/contracts/budget'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import type { NextStep, StepName } from '@svc/contracts/next-step'
import { nearestOf } from '@svc/contracts/nearest'
import type { Objective } from '@svc/contracts/objective'
import type { RouteOutput } from '@svc/contracts/rest'
import { stateOfRun, whyReleased, whyRunEnded } from '@svc/contracts/run-end'
import { isClosed, isNotStarted, objectiveStates } from '@svc/contracts/states'
import type { Permits } from './permits.ts'
import { stepsOfQueue } from './queues.ts'
import {
  type OfferingRunner,
  resumeStep,
  launchAgain,
  launchLike,
  projectOf,
  whoIsAway,
  whySilent,
  whyUntaken,
} from './runs.ts'

/** What is known of a mission, and what is offered to work on it; who may list no runners knows nothing of that. */
export interface Overview extends Omit<
  RouteOutput<'getMissionOverview'>,
  'nextSteps' | 'untaken' | 'artifacts' | 'branches'
> {
  readonly runners: readonly OfferingRunner[] | undefined
}

/** What waits for a person comes first; where nothing does, how it goes on. Nothing that this one may not do. */
export function stepsOfMission(overview: Overview, permits: Permits): AdvisedStep[] {
  const all = withinBudget(overview, allSteps(overview))
  const own = all.filter(({ next, after }) => permits(next) && (!after || permits(after)))
  return all.length > 0 && own.length === 0 ? readingSteps(overview) : own
}

const launching: ReadonlySet<StepName> = new Set([
  'launchObjective',
  'resumeObjective',
  'startRunQueue',
])

/** Past its budget each launch would be refused: what a person does first is to raise that. */
function withinBudget({ mission }: Overview, steps: AdvisedStep[]): AdvisedStep[] {
  const spent = spentBound(mission)
  const isLaunch = ({ next, after }: AdvisedStep) =>
    launching.has(next.operation) || (after !== undefined && launching.has(after.operation))
  if (!spent || !steps.some(isLaunch)) return steps
  const { bound, allowed, used } = spent
  const params = { id: mission.displayId, budget: { [bound]: `<${bound}>` } }
  const why = `it has used ${used} of its budget of ${allowed}: nothing more of it is launched until that is raised`
  return [
    { why, next: { operation: 'updateMission', params } },
    ...steps.filter((one) => !isLaunch(one)),
  ]
}

function allSteps(overview: Overview): AdvisedStep[] {
  if (isClosed(overview.mission.phase)) return readingSteps(overview)
  const isHeld = isBusy(overview)
  const waiting = [
    ...questionSteps(overview),
    ...(isHeld ? [] : approvalSteps(overview)),
    ...queueSteps(overview),
    ...(isHeld ? [] : stoppedSteps(overview)),
  ]
  const running = runningSteps(overview)
  if (waiting.length + running.length > 0) return [...waiting, ...running]
  const next = startingSteps(overview)
  return next.length > 0 ? next : [...readingSteps(overview), closingStep(overview)]
}

/** An active objective holds the mission's one slot: another launch would be refused. */
function isBusy({ mission, objectives }: Overview): boolean {
  return !mission.allowParallelObjectives && objectives.some(isActive)
}

function isActive({ state }: Objective): boolean {
  return objectiveStates[state].active
}

function openQuestionsOf({ questions }: Overview) {
  return questions.filter(({ status }) => status === 'open')
}

function questionSteps(overview: Overview): AdvisedStep[] {
  return openQuestionsOf(overview).map(({ id, displayId, question, options }) => {
    const choices = options.map((option) => `${option.id}=${option.label}`).join(', ')
    const [first] = options
    const params = { id, objective: displayId, ...(first && { optionId: first.id }) }
    return {
      why: `${displayId} asks: ${question}${first ? ` (${choices})` : ''}`,
      next: { operation: 'answerQuestion', params },
    }
  })
}

function approvalSteps(overview: Overview): AdvisedStep[] {
  const waiting = overview.objectives.filter(({ state }) => state === 'awaiting_approval')
  return waiting.map((objective) => launchStep(overview, objective, approvalOf(objective)))
}

function approvalOf({ displayId, approvalRefusal }: Objective): string {
  const refused = approvalRefusal ? `: ${approvalRefusal.message}` : ''
  return `${displayId} waits for your approval${refused}`
}

function queueSteps(overview: Overview): AdvisedStep[] {
  const project = projectOf(overview.mission.displayId)
  const known = { missionIsOpen: true, missionIsBusy: isBusy(overview) }
  return overview.queues
    .flatMap((queue) => stepsOfQueue(queue, project, known))
    .map(({ about, how, ...step }) => ({ why: `${about}. ${how}`, ...step }))
}

/** The last run of each objective that has one, by the objective's id; the newest comes first. */
function lastRunsOf({ executionRequests }: Overview): ReadonlyMap<string, ExecutionRequest> {
  return new Map(executionRequests.toReversed().map((run) => [run.objectiveId, run]))
}

/** Those whose last run brought nothing, and which no queue launches again. */
function stoppedSteps(overview: Overview): AdvisedStep[] {
  const runs = lastRunsOf(overview)
  return overview.objectives.flatMap((objective) => {
    const run = runs.get(objective.id)
    const stopped = run && !isQueued(overview, objective) && objective.state !== 'awaiting_approval'
    const agent = stopped ? agentFor(overview, objective, run) : undefined
    const again = stopped ? launchAgain(objective, run, agent) : undefined
    if (!run || again === undefined) return []
    const onwards = resumeStep(objective, run)
    const how = `${objective.displayId}: its last run: ${stateOfRun(run)}`
    const because = whyBeyond(run, overview.calledOff[run.id] ?? whyRunEnded(run))
    const before = run.failure?.next
    const also = { ...(because !== undefined && { because }), ...(before && { before }) }
    if (onwards === undefined) return [{ why: how, ...also, next: again }]
    return [
      { why: `${how}; go on with it`, ...also, next: onwards },
      { why: 'or begin it anew', next: again },
    ]
  })
}

/** What says more than the state of the run that it is said of. */
function whyBeyond(run: ExecutionRequest, why: string | undefined): string | undefined {
  return why?.toLowerCase() === stateOfRun(run) ? undefined : why
}

function isQueued({ queues }: Overview, { id }: Objective): boolean {
  return queues.some(({ entries }) => entries.some(({ objectiveId }) => objectiveId === id))
}

function runningSteps(overview: Overview): AdvisedStep[] {
  const { mission, objectives } = overview
  const asking = new Set(openQuestionsOf(overview).map(({ objectiveId }) => objectiveId))
  const runs = lastRunsOf(overview)
  const active = objectives.filter((one) => isActive(one) && !asking.has(one.id))
  const taken = active.filter(({ id }) => !whyUntaken(overview.runners, runs.get(id)))
  const silent = ({ id }: Objective) => whySilent(overview.runners, runs.get(id))
  const onTheWay = taken.filter((one) => silent(one) === undefined)
  const named = onTheWay.map((one) => nameWithAgent(overview, one)).join(', ')
  const watch: NextStep = { operation: 'listMissionEvents', params: { id: mission.displayId } }
  return [
    ...active.flatMap((objective) => queuedSteps(overview, objective, runs.get(objective.id))),
    ...(named === '' ? [] : [{ why: `${named} is on its way`, next: watch }]),
    ...taken.flatMap((one) => {
      const why = silent(one)
      return why === undefined ? [] : [{ why: `${one.displayId}: ${why}`, next: listRunners }]
    }),
    ...taken.map(({ displayId }) => ({
      why: `or call ${displayId} off, should it hang`,
      next: cancel(displayId),
    })),
  ]
}

function cancel(id: string): NextStep {
  return { operation: 'cancelObjective', params: { id } }
}

function nameWithAgent({ workers }: Overview, { id, displayId }: Objective): string {
  const worker = workers.find(({ objectiveId }) => objectiveId === id)
  return worker ? `${displayId} (${worker.agent} works on it)` : displayId
}

const listRunners: NextStep = { operation: 'listRunners', params: {} }

/** What keeps a run that no runner has begun. */
function queuedSteps(
  overview: Overview,
  objective: Objective,
  run: ExecutionRequest | undefined,
): AdvisedStep[] {
  if (run?.status !== 'queued') return []
  const { displayId } = objective
  if (run.lastRelease) {
    return [
      { why: `${displayId} waits: ${whyReleased(run)}`, next: run.lastRelease.next ?? listRunners },
    ]
  }
  const untaken = whyUntaken(overview.runners, run)
  if (untaken === undefined) {
    const before = overview.executionRequests.find(
      ({ id, objectiveId }) => objectiveId === objective.id && id !== run.id,
    )
    const away = whoIsAway(overview.runners, run, before)
    const why = `no runner has taken ${displayId} yet${away === undefined ? '' : `: ${away}`}`
    return [{ why, next: listRunners }]
  }
  const { agents = [] } = overview
  const why = `${untaken}, which ${displayId} is queued for`
  const callingOff = { why: 'or call it off', next: cancel(displayId) }
  if (run.onlyRunner !== null && agents.includes(run.agent)) {
    const next = launchLike(objective, run, run.agent)
    return [{ why: `${why}; launch it on whichever is there`, next }, callingOff]
  }
  const [other, ...more] = agents
  if (other === undefined) return [{ why, next: listRunners }]
  const meant = nearestOf(run.agent, agents)
  const which = more.length === 0 ? other : `one of ${agents.join(', ')}`
  const how = meant === undefined ? `launch it with ${which}` : `did you mean ${meant}?`
  return [{ why: `${why}; ${how}`, next: launchLike(objective, run, meant ?? other) }, callingOff]
}

/** What can be launched next, once it says what is to be done. */
function startingSteps(overview: Overview): AdvisedStep[] {
  const { mission, objectives } = overview
  const ready = objectives.find(
    ({ state, instruction }) => isNotStarted(state) && instruction.trim() !== '',
  )
  if (ready && isQueued(overview, ready)) {
    const next: NextStep = {
      operation: 'listRunQueues',
      params: { id: projectOf(mission.displayId) },
    }
    return [{ why: `${ready.displayId} waits for its turn`, next }]
  }
  if (ready) return [launchStep(overview, ready, `${ready.displayId} can be launched`)]
  if (objectives.some(({ state }) => state === 'complete')) return []
  const blank = objectives.find(({ state }) => isNotStarted(state))
  if (!blank) {
    const next: NextStep = { operation: 'addObjectives', params: { id: mission.displayId } }
    return [{ why: 'nothing is to be done yet: say what is', next }]
  }
  const { displayId: id } = blank
  return [
    {
      why: `${id} says nothing of what is to be done`,
      next: { operation: 'updateObjective', params: { id } },
    },
  ]
}

function launchStep(overview: Overview, objective: Objective, why: string): AdvisedStep {
  const { assigned_agent: assigned, displayId: id } = objective
  const agent = agentFor(overview, objective, overview.executionRequests[0])
  const operation = 'launchObjective'
  if (agent !== undefined && agent === assigned) return { why, next: { operation, params: { id } } }
  const instead = assigned === null ? why : `${why}; no runner offers ${assigned}`
  if (agent !== undefined) return { why: instead, next: { operation, params: { id, agent } } }
  return { why: instead, next: listRunners, after: { operation, params: { id, agent: '<key>' } } }
}

/** What it names, else what ran before, where a runner offers that; else the only one that is offered. */
function agentFor(
  { agents = [] }: Overview,
  { assigned_agent: assigned }: Objective,
  before: ExecutionRequest | undefined,
): string | undefined {
  const wanted = [assigned, before?.agent].filter((agent) => agent != null)
  if (agents.length === 0) return wanted[0]
  const [only, ...others] = agents
  return wanted.find((agent) => agents.includes(agent)) ?? (others.length === 0 ? only : undefined)
}

/** What is merged of it is known where its repositories are, and not here. */
function readingSteps({ mission, deliveries }: Overview): AdvisedStep[] {
  if (deliveries.length === 0) return []
  const which = deliveries.length > 1 ? ` (the newest of ${deliveries.length})` : ''
  const next: NextStep = { operation: 'listDeliveries', params: { id: mission.displayId } }
  return [{ why: `read what was delivered${which}`, next }]
}

function closingStep({ mission: { displayId: id } }: Overview): AdvisedStep {
  const next: NextStep = { operation: 'moveMission', params: { id, statusId: 'complete' } }
  return { why: 'nothing is left: close it', next }
}
