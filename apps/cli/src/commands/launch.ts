import type { Client } from '@svc/client/client'
import { isMissionDisplayId } from '@svc/contracts/ids'
import { isNotStarted } from '@svc/contracts/states'
import type { Command } from 'commander'
import { type Cli, openClient } from '../cli.ts'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure, usageFailure } from '../output/failure.ts'
import { printLaunched, watchOption } from '../output/launched.ts'

interface LaunchOptions {
  agent?: string
  model?: string
  effort?: string
  resource?: string
  fromBase?: true
  runner?: string
  watch?: true
  dryRun?: true
  forecast?: true
  runnerHome?: string
}

export function define(command: Command, cli: Cli): void {
  command
    .argument(
      '<objective-or-mission>',
      'display id or UUID of an objective; of a mission its display id, for the one that is next',
    )
    .option(
      '--agent <key>',
      'agent to launch, as in claude or codex; else the one of the objective',
    )
    .option('--model <name>', "else the objective's, the project's or the agent's own")
    .option('--effort <effort>', 'reasoning effort, by the same rule')
    .option('--resource <resource>', 'checkout to work in; else the primary one')
    .option('--from-base', "cut the branch anew: the mission's work in this resource stays aside")
    .option('--runner <name>', 'take it on this runner and no other, as svc runner status names it')
    .option(...watchOption)
    .option(
      '--forecast',
      'show what it would be made with and which runners could take it, and queue nothing',
    )
    .option('--dry-run', 'show how it would be started on this machine, and queue nothing')
    .option('--runner-home <path>', 'with --dry-run: folder of the runner, as for svc runner')
    .addHelpText(
      'after',
      '\nExamples:\n  svc launch web:12.k7qd --agent claude\n  svc launch web:12 --agent claude\n  svc launch web:12.k7qd --agent scripted --watch\n  svc launch web:12.k7qd --agent claude --forecast\n  svc launch web:12.k7qd --agent claude --dry-run',
    )
    .action((ref: string, options: LaunchOptions) => launch(cli, ref, options))
}

async function launch(cli: Cli, ref: string, options: LaunchOptions): Promise<void> {
  const { model, effort, resource, fromBase, runner } = options
  const client = await openClient(cli)
  const id = isMissionDisplayId(ref) ? await nextOf(cli, client, ref) : ref
  const settings = {
    id,
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { reasoningEffort: effort }),
    ...(resource !== undefined && { resourceKey: resource }),
  }
  const named = runner === undefined ? {} : { runner }
  const anew = fromBase && { fromBase: 'true' as const }
  if (options.forecast) {
    if (options.dryRun)
      throw usageFailure('--forecast asks the service and --dry-run this machine.')
    const { printForecast } = await import('../output/launch-forecast.ts')
    const { agent } = options
    const wanted = { ...settings, ...named, ...anew, ...(agent !== undefined && { agent }) }
    return await printForecast(cli, client, wanted)
  }
  const choice = { ...settings, agent: options.agent ?? (await agentOf(client, id)) }
  if (options.dryRun) {
    if (runner !== undefined)
      throw usageFailure('--dry-run shows this machine: leave --runner out, or see --forecast.')
    const { printPreview } = await import('../output/launch-preview.ts')
    return await printPreview(cli, client, { ...choice, ...anew }, options)
  }
  const answer = await client.call('launchObjective', {
    ...choice,
    ...named,
    ...(fromBase && { fromBase }),
  })
  await printLaunched(cli, client, answer, options)
}

/** Where none of the mission can be launched, what to do in it instead. */
async function nextOf(cli: Cli, client: Client, missionId: string): Promise<string> {
  const { objectives } = await client.call('getMission', { id: missionId })
  const next = objectives.find(
    ({ state, instruction }) => isNotStarted(state) && instruction.trim() !== '',
  )
  if (next) return next.displayId
  const { readOverview } = await import('../output/mission-overview.ts')
  const { nextSteps } = await readOverview(cli, client, missionId)
  const instead = nextSteps.map(({ why, command }) => `${why}: ${command}`).join('; ')
  const message = `No objective of ${missionId} can be launched. ${instead}`
  throw new CommandFailure('nothing_to_launch', message, exitCode.conflict)
}

async function agentOf(client: Client, id: string): Promise<string> {
  const { objective } = await client.call('getObjective', { id })
  if (objective.assigned_agent !== null) return objective.assigned_agent
  throw usageFailure(`${objective.displayId} names no agent: say which with --agent <key>.`)
}
