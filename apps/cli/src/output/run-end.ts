import type { Client } from '@svc/client/client'
import { describeExit } from '@svc/contracts/describe-exit'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import type { Objective } from '@svc/contracts/objective'
import { isClosed, isLive, isNotStarted } from '@svc/contracts/states'
import { whyCalledOff } from './called-off.ts'
import { withStep } from './next-step.ts'

/** What became of a run, in a word. */
export function stateOf(run: ExecutionRequest): string {
  const state = run.outcome ?? run.status
  const isEnding = run.cancelRequestedAt != null && isLive(run)
  return isEnding ? `${state}, being cancelled` : state
}

/** The same of an objective's last run. An agent that attached on its own has none, and leaves only how it ended. */
export function lastRunOf(objective: Objective, run: ExecutionRequest | undefined): string | null {
  if (objective.state === 'complete') return 'delivered'
  return objective.lastOutcome ?? (run ? stateOf(run) : null)
}

export function isOver(run: ExecutionRequest): boolean {
  return !isLive(run)
}

/** Why a run that is over brought no delivery. */
export function whyEnded(run: ExecutionRequest): string | undefined {
  if (!isOver(run) || run.outcome === 'delivered') return undefined
  if (run.failure) {
    return withStep(`${run.failure.code}: ${run.failure.message}`, run.failure.next)
  }
  return exitOf(run) ?? whys[stateOf(run)]
}

/** How its process ended. One that was called off has neither failed nor delivered, whatever it ended with. */
export function exitOf(run: ExecutionRequest): string | undefined {
  if (!run.exit) return undefined
  const endedByItself = stateOf(run) === 'cancelled' && run.exit.cause === 'agent'
  return endedByItself ? 'cancelled; its agent then ended by itself' : describeExit(run.exit)
}

/** What its agent says that it has used. */
export function usedBy({ usage }: Pick<ExecutionRequest, 'usage'>): string | undefined {
  const { inputTokens, outputTokens, usd } = usage ?? {}
  const parts = [
    inputTokens === undefined ? undefined : `${inputTokens.toLocaleString('en')} tokens in`,
    outputTokens === undefined ? undefined : `${outputTokens.toLocaleString('en')} tokens out`,
    usd === undefined ? undefined : `${usd} USD`,
  ]
  return parts.filter((part) => part !== undefined).join(', ') || undefined
}

const whys: Readonly<Record<string, string>> = {
  lost: 'nothing was heard of the agent for too long',
  cancelled: 'it was called off, or somebody else took the objective over',
}

/** The command that launches the objective of a stopped run again, where it can be launched. */
export function launchAgain(
  objective: Objective,
  run: ExecutionRequest,
  agent = run.agent,
): string | undefined {
  const stopped = isOver(run) && run.outcome !== 'delivered'
  if (!stopped || !isNotStarted(objective.state)) return undefined
  return launchLike(objective, run, agent)
}

/** In the same checkout. */
export function launchLike(
  { displayId }: Pick<Objective, 'displayId'>,
  { resourceKey }: ExecutionRequest,
  agent: string,
): string {
  const resource = resourceKey === null ? '' : ` --resource ${resourceKey}`
  return `svc launch ${displayId} --agent ${agent}${resource}`
}

/** The command that goes on with a run that was lost or ended without a delivery, where it was the last of the objective. */
export function goOn(
  { displayId, state, lastOutcome }: Objective,
  run: ExecutionRequest,
): string | undefined {
  if (run.workedOnSince) return undefined
  const isStopped = run.outcome !== null && run.outcome === lastOutcome && stops.has(lastOutcome)
  // what was to go on with such a run never began
  const neverWentOn = run.kind === 'resume' && isOver(run) && run.status !== 'launched'
  return (isStopped || neverWentOn) && isNotStarted(state) ? `svc resume ${displayId}` : undefined
}

const stops: ReadonlySet<string> = new Set(['lost', 'exited'])

/** All of it, as it stands in a list of names and values. In a closed mission nothing is launched. */
export async function endOf(client: Client, objective: Objective, run: ExecutionRequest) {
  const isCalledOff = stateOf(run) === 'cancelled' && isOver(run)
  const why = (isCalledOff ? await whyCalledOff(client, run) : undefined) ?? whyEnded(run)
  const again = launchAgain(objective, run)
  if (again === undefined) return { why }
  const { mission } = await client.call('getMission', { id: run.missionId })
  return isClosed(mission.phase)
    ? { why }
    : { why, 'go on': goOn(objective, run), 'launch again': again }
}

export type Run = ExecutionRequest

/** The last run of each objective that has one, by the objective's id. */
export type Runs = ReadonlyMap<string, Run>

export async function lastRuns(
  client: Client,
  missionId: string,
  objectives: readonly Objective[],
): Promise<Runs> {
  return lastOfEach(await readRuns(client, missionId, objectives))
}

/** The newest runs of a mission, as far back as to the last one of each objective. */
export async function readRuns(
  client: Client,
  missionId: string,
  objectives: readonly Objective[],
): Promise<Run[]> {
  const found: Run[] = []
  let cursor: string | undefined
  do {
    const page = await client.call('listExecutionRequests', {
      missionId,
      limit: 50,
      ...(cursor && { cursor }),
    })
    found.push(...page.executionRequests)
    cursor = page.nextCursor
  } while (cursor !== undefined && lastOfEach(found).size < objectives.length)
  return found
}

/** Of runs of which the newest comes first. */
export function lastOfEach(runs: readonly Run[]): Runs {
  return new Map(runs.toReversed().map((run) => [run.objectiveId, run]))
}
