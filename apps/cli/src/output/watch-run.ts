import type { Client } from '@svc/client/client'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import { stateOfRun } from '@svc/contracts/run-end'
import { type Cli, say } from '../cli.ts'
import { exitCode } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { followMission } from './follow-mission.ts'
import { commandFor, isOver, whyEnded } from './run-end.ts'
import { withStep } from './next-step.ts'
import { oneLine } from './terminal.ts'
import { waitingFor } from './waiting.ts'

/** Shows a run alone, and those that auto-advance launches after it. Throws when the last of them did not deliver. */
export async function watchRun(cli: Cli, client: Client, first: ExecutionRequest): Promise<void> {
  const followed = [first]
  const printed = new Set<string>()
  const printOnce = (what: string, { id }: ExecutionRequest, text: string | undefined) => {
    if (text === undefined || printed.has(id + text)) return
    printed.add(id + text)
    say(cli, `${what}: ${oneLine(text)}`)
  }
  let run = first
  let hasAsked = false
  const isDone = async () => {
    if (hasAsked) await printQuestion(client, run, (text) => printOnce('asks', run, text))
    hasAsked = false
    for (;;) {
      run = (await client.call('getExecutionRequest', { id: run.id })).executionRequest
      printOnce('waiting', run, waitingFor(run))
      printOnce('begins', run, beginningOf(run))
      for (const warning of run.warnings ?? []) printOnce('warning', run, warning)
      if (!isOver(run)) return false
      const next = await findNext(client, run, followed)
      if (next === undefined) return true
      followed.push(next)
      run = next
    }
  }
  await followMission(cli, client, {
    id: first.missionId,
    since: first.createdAt,
    shows: (event) => {
      const isOfRun = followed.some(
        ({ objectiveId, createdAt }) =>
          event.objectiveId === objectiveId && event.createdAt >= createdAt,
      )
      hasAsked ||= isOfRun && event.type === 'ask'
      return isOfRun
    },
    isDone,
  })
  if (!cli.signal.aborted && run.outcome !== 'delivered') throw await notDelivered(client, run)
}

function beginningOf({ branch, baseSha }: ExecutionRequest): string | undefined {
  return branch && baseSha ? `on branch ${branch} at commit ${baseSha.slice(0, 12)}` : undefined
}

/** How its question is answered, while it is open. */
async function printQuestion(
  client: Client,
  { objectiveId }: ExecutionRequest,
  print: (text: string) => void,
): Promise<void> {
  const { questions } = await client.call('listQuestions', {
    objectiveId,
    status: 'open',
    limit: 1,
  })
  for (const { question, displayId } of questions) {
    print(withStep(question, { operation: 'answerQuestion', params: { id: displayId } }))
  }
}

/** What follows on this run: what its delivery launched, or what goes on with the answer to its question. */
function findNext(
  client: Client,
  run: ExecutionRequest,
  followed: readonly ExecutionRequest[],
): Promise<ExecutionRequest | undefined> {
  return run.outcome === 'delivered'
    ? nextRun(client, run, followed)
    : resumedRun(client, run, followed)
}

async function resumedRun(
  client: Client,
  { objectiveId, outcome }: ExecutionRequest,
  followed: readonly ExecutionRequest[],
): Promise<ExecutionRequest | undefined> {
  if (outcome !== 'exited') return undefined
  const { executionRequests } = await client.call('listExecutionRequests', {
    objectiveId,
    limit: 1,
  })
  const [newest] = executionRequests
  const isNew = newest?.kind === 'resume' && followed.every(({ id }) => id !== newest.id)
  return isNew ? newest : undefined
}

/** What the delivery of this run launched, in the transaction of the delivery itself. */
async function nextRun(
  client: Client,
  { missionId, createdAt }: ExecutionRequest,
  followed: readonly ExecutionRequest[],
): Promise<ExecutionRequest | undefined> {
  const { executionRequests } = await client.call('listExecutionRequests', { missionId, limit: 50 })
  return executionRequests.findLast(
    (one) =>
      one.source === 'auto_advance' &&
      one.createdAt > createdAt &&
      followed.every(({ id }) => id !== one.id),
  )
}

async function notDelivered(client: Client, run: ExecutionRequest): Promise<CommandFailure> {
  const { objective } = await client.call('getObjective', { id: run.objectiveId })
  const { nextSteps } = await client.call('getExecutionRequest', { id: run.id })
  const again = commandFor('launchObjective', nextSteps)
  const onwards = commandFor('resumeObjective', nextSteps)
  const resume = onwards === undefined ? '' : `, then go on with it: ${onwards}`
  const launch =
    again === undefined ? '.' : `, ${onwards ? 'or' : 'then'} launch it again: ${again}`
  const why = whyEnded(run) ?? stateOfRun(run)
  return new CommandFailure(
    'not_delivered',
    `The run of ${objective.displayId} ended without a delivery (${oneLine(why)}): see svc logs ${run.id}${resume}${launch}`,
    exitCode.unexpected,
  )
}
