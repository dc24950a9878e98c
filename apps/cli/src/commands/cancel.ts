import type { RouteOutput } from '@svc/contracts/rest'
import { isUuid } from '@svc/contracts/ids'
import type { Command } from 'commander'
import { type Cli, openClient, print, say } from '../cli.ts'
import { stateOf } from '../output/run-end.ts'
import { shellWord } from '../output/shell-word.ts'
import { oneLine } from '../output/terminal.ts'

interface CancelOptions {
  reason?: string
}

export function define(command: Command, cli: Cli): void {
  command
    .argument('<objective-or-run>', 'display id of an objective, or UUID of a run')
    .option('--reason <text>', 'told in the history of the mission')
    .addHelpText(
      'after',
      '\nWhat is queued is over at once; the runner of what runs is told with its next heartbeat, and ends the agent with all that it started. A delivery that comes before that stands.\n\nExamples:\n  svc cancel web:12.k7qd\n  svc cancel web:12.k7qd --reason "wrong agent" --json',
    )
    .action((ref: string, options: CancelOptions) => cancel(cli, ref, options))
}

/** Of an objective, what works on it now; a run is named by its UUID alone. */
export async function cancel(cli: Cli, ref: string, options: CancelOptions): Promise<void> {
  const client = await openClient(cli)
  const answer: RouteOutput<'cancelObjective'> = await client.call(
    isUuid(ref) ? 'cancelExecutionRequest' : 'cancelObjective',
    { id: ref, ...options },
  )
  const { executionRequest: run, objective, alreadyFinished } = answer
  const { details } = await import('../output/table.ts')
  const state = run === null ? 'no run' : stateOf(run)
  const fields = {
    run: run?.id,
    state: alreadyFinished ? `${state} (there was nothing left to cancel)` : state,
    objective: objective.displayId,
    'objective is': objective.state,
  }
  await print(cli, answer, () => details(fields, cli.stdout))
  const isEnding = run?.cancelRequestedAt != null && run.endedAt === null
  if (answer.pausesQueue) say(cli, pauseOf(answer.pausesQueue, objective, isEnding))
  if (isEnding && run) {
    say(cli, `Its runner is told; see when it is over: svc runs show ${run.id}`)
  }
}

function pauseOf(
  { name }: { name: string },
  { displayId }: { displayId: string },
  isEnding: boolean,
): string {
  const [project] = displayId.split(':')
  const goOn = `svc queue resume ${project} ${shellWord(name)}`
  const then = isEnding ? 'once it is over, let it go on' : 'let it go on'
  return oneLine(`The queue ${name}, which launched it, is paused by its end; ${then}: ${goOn}`)
}
