import type { Client } from '@svc/client/client'
import type { Command } from 'commander'
import { type Cli, openClient } from '../cli.ts'
import { usageFailure } from '../output/failure.ts'
import { tellLaunched, watchOption } from '../output/launched.ts'

interface LaunchOptions {
  agent?: string
  model?: string
  effort?: string
  resource?: string
  fromBase?: true
  watch?: true
  dryRun?: true
  runnerHome?: string
}

export function define(command: Command, cli: Cli): void {
  command
    .argument('<objective>', 'display id or UUID')
    .option(
      '--agent <key>',
      'agent to launch, as in claude or codex; else the one of the objective',
    )
    .option('--model <name>', "else the objective's, the project's or the agent's own")
    .option('--effort <effort>', 'reasoning effort, by the same rule')
    .option('--resource <resource>', 'checkout to work in; else the primary one')
    .option('--from-base', "cut the branch anew: the mission's work in this resource stays aside")
    .option(...watchOption)
    .option('--dry-run', 'show how it would be started on this machine, and queue nothing')
    .option('--runner-home <path>', 'with --dry-run: folder of the runner, as for svc runner')
    .addHelpText(
      'after',
      '\nExamples:\n  svc launch web:12.k7qd --agent claude\n  svc launch web:12.k7qd --agent scripted --watch\n  svc launch web:12.k7qd --agent claude --dry-run',
    )
    .action((objective: string, options: LaunchOptions) => launch(cli, objective, options))
}

async function launch(cli: Cli, id: string, options: LaunchOptions): Promise<void> {
  const { model, effort, resource, fromBase } = options
  const client = await openClient(cli)
  const agent = options.agent ?? (await agentOf(client, id))
  const choice = {
    id,
    agent,
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { reasoningEffort: effort }),
    ...(resource !== undefined && { resourceKey: resource }),
  }
  if (options.dryRun) {
    const { tellPreview } = await import('../output/launch-preview.ts')
    const wanted = { ...choice, ...(fromBase && { fromBase: 'true' as const }) }
    return await tellPreview(cli, client, wanted, options)
  }
  const answer = await client.call('launchObjective', { ...choice, ...(fromBase && { fromBase }) })
  await tellLaunched(cli, client, answer, options)
}

async function agentOf(client: Client, id: string): Promise<string> {
  const { objective } = await client.call('getObjective', { id })
  if (objective.assigned_agent !== null) return objective.assigned_agent
  throw usageFailure(`${objective.displayId} names no agent: say which with --agent <key>.`)
}
