import type { Client } from '@svc/client/client'
import type { RouteOutput } from '@svc/contracts/rest'
import type { PausedQueue } from '@svc/contracts/run-queue'
import { isMissionDisplayId, isUuid } from '@svc/contracts/ids'
import { stateOfRun } from '@svc/contracts/run-end'
import type { Command } from 'commander'
import { type Cli, openClient, print, say } from '../cli.ts'
import { lineOf } from '../output/next-step.ts'
import { oneLine } from '../output/terminal.ts'
import { findQueue } from '../queue-ref.ts'
import { activeObjectiveOf } from '../run-ref.ts'

interface CancelOptions {
  reason?: string
}

export function define(command: Command, cli: Cli): void {
  command
    .argument(
      '<objective-or-run>',
      'display id of an objective, or of a mission in which one is worked on, or UUID of a run',
    )
    .option('--reason <text>', 'shown in the history of the mission')
    .addHelpText(
      'after',
      '\nWhat is queued is over at once; the runner of what runs hears of it with its next heartbeat, and ends the agent with all that it started. A delivery that comes before that stands.\n\nExamples:\n  svc cancel web:12.k7qd\n  svc cancel web:12.k7qd --reason "wrong agent" --json',
    )
    .action((ref: string, options: CancelOptions) => cancel(cli, ref, options))
}

/** Cancels a run that is named by its UUID, or the run that works on the named mission or objective now. */
export async function cancel(cli: Cli, ref: string, options: CancelOptions): Promise<void> {
  const client = await openClient(cli)
  const id = isMissionDisplayId(ref) ? (await activeObjectiveOf(client, ref)).displayId : ref
  const answer: RouteOutput<'cancelObjective'> = await client.call(
    isUuid(ref) ? 'cancelExecutionRequest' : 'cancelObjective',
    { id, ...options },
  )
  const { executionRequest: run, objective, alreadyFinished } = answer
  const { details } = await import('../output/table.ts')
  const state = run === null ? 'no run' : stateOfRun(run)
  const fields = {
    run: run?.id,
    state: alreadyFinished ? `${state} (there was nothing left to cancel)` : state,
    objective: objective.displayId,
    'objective is': objective.state,
  }
  await print(cli, answer, () => details(fields, cli.stdout))
  const isEnding = run?.cancelRequestedAt != null && run.endedAt === null
  if (answer.pausesQueue) {
    say(cli, await pauseOf(client, answer.pausesQueue, { ...objective, isEnding }))
  }
  if (isEnding && run) {
    say(cli, `Its runner is told; see when it is over: svc runs show ${run.id}`)
  }
}

const goingOn: ReadonlySet<string> = new Set(['startRunQueue', 'resumeRunQueue'])

/** While the run ends, its queue is not paused yet, and it is not known whether an advance will be pending. */
async function pauseOf(
  client: Client,
  { id, name }: PausedQueue,
  { displayId, isEnding }: { displayId: string; isEnding: boolean },
): Promise<string> {
  const [project = ''] = displayId.split(':')
  const paused = `The queue ${name}, which launched it, is paused by its end`
  const advised = isEnding ? [] : (await findQueue(client, project, id)).nextSteps
  const [then = `see how it goes on: svc queue list ${project}`] = advised
    .filter(({ next }) => goingOn.has(next.operation))
    .map(lineOf)
  return oneLine(`${paused}${isEnding ? '; once it is over, ' : '. '}${then}`)
}
