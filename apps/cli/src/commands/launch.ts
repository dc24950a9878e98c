import type { ExecutionRequest } from '@svc/contracts/execution-request'
import type { Command } from 'commander'
import { type Cli, openClient, print, say } from '../cli.ts'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure } from '../output/failure.ts'
import { oneLine } from '../output/terminal.ts'
import { waitingFor } from '../output/waiting.ts'

interface LaunchOptions {
  agent: string
  model?: string
  effort?: string
  resource?: string
  fromBase?: true
  watch?: true
}

export function define(command: Command, cli: Cli): void {
  command
    .argument('<objective>', 'display id or UUID')
    .requiredOption('--agent <key>', 'agent to launch, as in claude, codex or scripted')
    .option('--model <name>', "else the objective's, the project's or the agent's own")
    .option('--effort <effort>', 'reasoning effort, by the same rule')
    .option('--resource <key>', 'checkout to work in; else the primary one')
    .option('--from-base', "cut the branch anew: the mission's work in this resource stays aside")
    .option('--watch', 'show what happens until the run is over; exits 1 unless it delivered')
    .addHelpText(
      'after',
      '\nExamples:\n  svc launch web:12.k7qd --agent claude\n  svc launch web:12.k7qd --agent scripted --watch',
    )
    .action((objective: string, options: LaunchOptions) => launch(cli, objective, options))
}

async function launch(cli: Cli, id: string, options: LaunchOptions): Promise<void> {
  const { agent, model, effort, resource, fromBase } = options
  const client = await openClient(cli)
  const answer = await client.call('launchObjective', {
    id,
    agent,
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { reasoningEffort: effort }),
    ...(resource !== undefined && { resourceKey: resource }),
    ...(fromBase && { fromBase }),
  })
  for (const warning of answer.warnings) say(cli, `warning: ${oneLine(warning.message)}`)
  const { executionRequest: request, objective, reused } = answer
  const { details } = await import('../output/table.ts')
  const fields = {
    run: request.id,
    objective: objective.displayId,
    agent: request.agent,
    status: reused ? `${request.status} (launched before)` : request.status,
  }
  await print(cli, answer, () => details(fields, cli.stdout))
  if (options.watch) await watchRun(cli, client, request)
  else say(cli, `Follow it: svc logs ${request.id} -f`)
}

type Client = Awaited<ReturnType<typeof openClient>>

async function watchRun(cli: Cli, client: Client, { id, missionId }: ExecutionRequest) {
  const { followMission } = await import('../output/follow-mission.ts')
  let request: ExecutionRequest | undefined
  const told = new Set<string>()
  const tell = (what: string, text: string | undefined) => {
    if (text === undefined || told.has(text)) return
    told.add(text)
    say(cli, `${what}: ${oneLine(text)}`)
  }
  await followMission(cli, client, missionId, async () => {
    request = (await client.call('getExecutionRequest', { id })).executionRequest
    tell('waiting', waitingFor(request))
    for (const warning of request.warnings ?? []) tell('warning', warning)
    return isOver(request)
  })
  if (request === undefined || cli.signal.aborted || request.outcome === 'delivered') return
  const why = request.failure?.message ?? request.exit?.cause ?? request.outcome ?? request.status
  throw new CommandFailure(
    'not_delivered',
    `The run ended without a delivery (${oneLine(why)}): see svc logs ${id}, then launch it again.`,
    exitCode.unexpected,
  )
}

function isOver({ status, outcome }: ExecutionRequest): boolean {
  if (status === 'failed' || status === 'cancelled' || status === 'expired') return true
  return outcome !== null && outcome !== 'running' && outcome !== 'parked'
}
