import { readOutputEvents } from '../agents/output-events.ts'
import { exitOf } from '../processes/start-process.ts'
import type { AgentProcess, AgentStart } from './agent-process.ts'
import { startOrExplain } from './start-or-explain.ts'

/** An agent that is told everything by its arguments, and is read by what it prints. */
export async function startByArguments({
  plan,
  adapter,
  output,
  heard,
}: AgentStart): Promise<AgentProcess> {
  const { child, identity } = await startOrExplain(plan)
  const events = readOutputEvents(adapter, heard.sessionId, heard.error, heard.limit)
  output.read(child, { raw: events.push })
  return {
    identity,
    exited: exitOf(child),
    stop: () => Promise.resolve(),
    usage: events.usage,
    error: events.error,
  }
}
