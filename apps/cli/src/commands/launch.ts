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
    .option('--resource <key>', 'checkout to work in; else the primary one')
    .option('--from-base', "cut the branch anew: the mission's work in this resource stays aside")
    .option(...watchOption)
    .addHelpText(
      'after',
      '\nExamples:\n  svc launch web:12.k7qd --agent claude\n  svc launch web:12.k7qd --agent scripted --watch',
    )
    .action((objective: string, options: LaunchOptions) => launch(cli, objective, options))
}

async function launch(cli: Cli, id: string, options: LaunchOptions): Promise<void> {
  const { model, effort, resource, fromBase } = options
  const client = await openClient(cli)
  const agent = options.agent ?? (await agentOf(client, id))
  const answer = await client.call('launchObjective', {
    id,
    agent,
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { reasoningEffort: effort }),
    ...(resource !== undefined && { resourceKey: resource }),
    ...(fromBase && { fromBase }),
  })
  await tellLaunched(cli, client, answer, options)
}

async function agentOf(client: Client, id: string): Promise<string> {
  const { objective } = await client.call('getObjective', { id })
  if (objective.assigned_agent !== null) return objective.assigned_agent
  throw usageFailure(`${objective.displayId} names no agent: say which with --agent <key>.`)
}
