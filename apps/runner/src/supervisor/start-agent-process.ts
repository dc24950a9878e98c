import type { Adapter } from '../agents/adapter.ts'
import type { AgentProcess, AgentStart } from './agent-process.ts'
import { startByArguments } from './start-by-arguments.ts'
import { startByProtocol } from './start-by-protocol.ts'
import { startStep } from './start-step.ts'

const starts: Record<Adapter['protocol'], (start: AgentStart) => Promise<AgentProcess>> = {
  argv: startByArguments,
  acp: startByProtocol,
  command: startStep,
}

/** Starts the agent in its own process group. Refusals of the system are reported as what they mean. */
export function startAgentProcess(start: AgentStart): Promise<AgentProcess> {
  return starts[start.adapter.protocol](start)
}
