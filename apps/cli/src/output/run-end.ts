import type { Client } from '@svc/client/client'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import { type StepName, commandOf } from '@svc/contracts/next-step'
import type { Objective } from '@svc/contracts/objective'
import type { RouteOutput } from '@svc/contracts/rest'
import { stateOfRun, whyRunEnded } from '@svc/contracts/run-end'
import { isLive } from '@svc/contracts/states'
import { withStep } from './next-step.ts'
import { waitingFor } from './waiting.ts'

/** What became of an objective's last run. An agent that attached on its own has none, and leaves only how it ended. */
export function lastRunOf(objective: Objective, run: ExecutionRequest | undefined): string | null {
  if (objective.state === 'complete') return 'delivered'
  return objective.lastOutcome ?? (run ? stateOfRun(run) : null)
}

export function isOver(run: ExecutionRequest): boolean {
  return !isLive(run)
}

/** Why a run that is over brought no delivery. */
export function whyEnded(run: ExecutionRequest): string | undefined {
  const why = whyRunEnded(run)
  return why === undefined ? undefined : withStep(why, run.failure?.next)
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

/** All of it, as it stands in a list of names and values. */
export function endOf({ executionRequest: run, reason, nextSteps }: RunAnswer) {
  return {
    why: isOver(run) ? (reason ?? whyEnded(run)) : undefined,
    'go on': commandFor('resumeObjective', nextSteps),
    'launch again': commandFor('launchObjective', nextSteps),
  }
}

/** Why it has not begun: it was given back, or none could take it. */
export function whyWaiting({ executionRequest: run, reason }: RunAnswer): string | undefined {
  return waitingFor(run) ?? (run.status === 'queued' ? (reason ?? undefined) : undefined)
}

/** That of the advised step, where it is advised. */
export function commandFor(
  operation: StepName,
  advised: RunAnswer['nextSteps'],
): string | undefined {
  const found = advised.find(({ next }) => next.operation === operation)
  return found && commandOf(found.next)
}

type RunAnswer = RouteOutput<'getExecutionRequest'>

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

/** The last run of each objective, from a list that begins with the newest. */
export function lastOfEach(runs: readonly Run[]): Runs {
  return new Map(runs.toReversed().map((run) => [run.objectiveId, run]))
}
