import { Rights } from '@svc/contracts/rights'
import { type AgentToken, agentTokens } from '@svc/runner/daemon/agent-token'
import type { Command } from 'commander'
import { appendTo, oneOf } from './choices.ts'
import { usageFailure } from './output/failure.ts'
import { type HomeOption, homeOption } from './runner-home.ts'

/** What a runner is started with, by a person or by what keeps it running. */
export interface StartOptions extends HomeOption {
  label?: string
  max?: string
  project: string[]
  agent: string[]
  agentToken?: AgentToken
  maxRights?: Rights
}

export function withStartOptions(command: Command): Command {
  return command
    .option(...homeOption)
    .option('--label <name>', 'name of this runner in the service; else that of the machine')
    .option('--max <number>', 'runs at once; by default two a core, as far as memory allows')
    .option('--project <project>', 'only this one, slug or UUID; may be repeated', appendTo, [])
    .option('--agent <key>', 'offer only this one; may be repeated', appendTo, [])
    .addOption(oneOf('--agent-token <which>', 'what agents call the service with', agentTokens))
    .addOption(oneOf('--max-rights <rights>', 'what agents may do at most', Rights.options))
}

export async function checkStartOptions({ label, max }: StartOptions): Promise<void> {
  if (max !== undefined && !/^[1-9]\d*$/.test(max))
    throw usageFailure('--max takes a number from 1.')
  if (label === undefined) return
  const { Device } = await import('@svc/contracts/runner')
  if (Device.shape.label.safeParse(label.trim()).success) return
  throw usageFailure('--label takes a name of 1 to 200 characters.')
}
