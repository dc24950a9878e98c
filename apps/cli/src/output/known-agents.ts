import { describeLimit } from '@svc/contracts/agent-limit'
import type { KnownAgent } from '@svc/contracts/known-agent'
import { type Cli, openClient, print } from '../cli.ts'
import { localTime } from './local-time.ts'
import { table } from './table.ts'

export async function listAgents(cli: Cli): Promise<void> {
  const answer = await (await openClient(cli)).call('listAgents', {})
  const rows = answer.agents.map((agent) => [
    agent.key,
    agent.runners.map(nameOf).join(', '),
    agent.heldBy.map(holdOf).join('; '),
    agent.models.join(' '),
    agent.efforts.join(' '),
  ])
  const columns = ['AGENT', 'OFFERED BY', 'HELD BY', 'MODELS', 'EFFORTS']
  await print(cli, answer, () => table(columns, rows, cli.stdout))
}

function nameOf({ label, state }: KnownAgent['runners'][number]): string {
  return state === 'connected' ? label : `${label} (away)`
}

function holdOf({ reason, until, ...runner }: KnownAgent['heldBy'][number]): string {
  return `${nameOf(runner)} until ${localTime(until)}: ${describeLimit(reason)}`
}
