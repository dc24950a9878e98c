import type { Client } from '@svc/client/client'
import { missionOfDisplayId } from '@svc/contracts/ids'
import { commandOf } from '@svc/contracts/next-step'
import { nearestOf } from '@svc/contracts/nearest'
import type { RouteOutput } from '@svc/contracts/rest'
import { type Cli, print, say } from '../cli.ts'
import { withStep } from './next-step.ts'
import { oneLine } from './terminal.ts'

export const watchOption = [
  '--watch',
  'show what this run does until it is over, and those that auto-advance launches after it; exits 1 unless they delivered',
] as const

/** The launch stands, whether or not its state can be read. */
async function offeredNow(client: Client): Promise<readonly string[]> {
  const nobody = { runners: [] }
  const { runners } = await client.call('listRunners', {}).catch(() => nobody)
  const connected = runners.filter(({ state }) => state === 'connected')
  return [...new Set(connected.flatMap(({ agents }) => agents))]
}

/** The run that was queued, and what it does where that is to be watched. */
export async function printLaunched(
  cli: Cli,
  client: Client,
  answer: RouteOutput<'launchObjective'>,
  { watch }: { watch?: true },
): Promise<void> {
  for (const { message, next } of answer.warnings) {
    say(cli, `warning: ${oneLine(withStep(message, next))}`)
  }
  const { executionRequest: request, objective, reused } = answer
  const isMissing = answer.warnings.some(({ code }) => code === 'agent_not_available')
  if (isMissing && request.onlyRunner === null) {
    const meant = nearestOf(request.agent, await offeredNow(client))
    if (meant !== undefined && meant !== request.agent) {
      const { displayId: id } = objective
      const { resourceKey } = request
      const params = { id, agent: meant, ...(resourceKey !== null && { resourceKey }) }
      say(cli, `Did you mean ${meant}? ${commandOf({ operation: 'launchObjective', params })}`)
    }
  }
  const { details } = await import('./table.ts')
  const fields = {
    run: request.id,
    objective: objective.displayId,
    agent: request.agent,
    status: reused ? `${request.status} (launched before)` : request.status,
  }
  await print(cli, answer, () => details(fields, cli.stdout))
  if (watch) {
    const { watchRun } = await import('./watch-run.ts')
    await watchRun(cli, client, request)
    const mission = missionOfDisplayId(objective.displayId)
    if (!cli.signal.aborted) say(cli, `See what to do now: svc missions show ${mission}`)
  } else say(cli, `Follow it: svc logs ${request.id} -f`)
}
