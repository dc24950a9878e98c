import { randomUUID } from 'node:crypto'
import type { Client } from '@svc/client/client'
import { instructionsForTools as agentInstructions } from '@svc/contracts/agent-instructions'
import { isServiceError } from '@svc/contracts/errors'
import { boundOutput } from '@svc/contracts/mcp/tool-bounds'
import {
  type ToolResult,
  failedResult,
  idempotencyKeyOf,
  invalidArguments,
  toolError,
  toolResult,
} from '@svc/contracts/mcp/tool-result'
import { type ToolName, type ToolRequest, toolContract } from '@svc/contracts/mcp/tools'
import { type Cli, openClient } from '../cli.ts'
import { CommandFailure, describeFailure, isUnreachable } from '../output/failure.ts'
import { awaitCheck } from '../protocol/await-check.ts'
import { attachSession } from '../protocol/attach.ts'
import { sendLedger } from '../protocol/send-ledger.ts'
import { type LocalTools, deriveLocal } from './registry.ts'

interface ToolCall {
  name: ToolName
  arguments?: Record<string, unknown> | undefined
  _meta?: Record<string, unknown> | undefined
}

/** They wait for the checks before a delivery; what takes longer than a client has patience for is called again. */
const mayBeChecked: ReadonlySet<ToolName> = new Set<ToolName>([
  'svc_deliver_session',
  'svc_record_work',
])
const checkWaitMs = 25_000

/** Every tool is a call of the service; only the attach has a command of its own, which it shares. */
function localTools(cli: Cli, client: Client, given: string | undefined): LocalTools {
  const options = { idempotencyKey: given ?? randomUUID() }
  return {
    ...deriveLocal(async (name, input) => {
      // a machine can look at its checkout, which the hosted tools cannot
      if (toolContract(name).reportsChanges) await sendLedger(cli, client, input)
      const send = () => client.tool(name, input, options)
      return mayBeChecked.has(name) ? awaitCheck(cli, send, { waitMs: checkWaitMs }) : send()
    }),
    svc_attach_session: async (input) => ({
      ...(await attachSession(cli, input)),
      agentInstructions,
    }),
  }
}

export async function callLocalTool(cli: Cli, call: ToolCall): Promise<ToolResult> {
  const { name } = call
  const contract = toolContract(name)
  const parsed = contract.input.safeParse(call.arguments ?? {})
  if (!parsed.success) return toolError(invalidArguments(contract, parsed.error))
  try {
    const tools = localTools(cli, await openClient(cli), idempotencyKeyOf(call))
    type Tool = (input: ToolRequest<ToolName>) => Promise<Record<string, unknown>>
    // the contract of this very tool has parsed its input, which a generic index cannot show
    const answer = await (tools[name] as unknown as Tool)(parsed.data as ToolRequest<ToolName>)
    return toolResult(boundOutput(answer, toolContract(name).bounds))
  } catch (error) {
    return failureResult(error)
  }
}

/** A failure of this machine is shown in full: whoever reads it here is the person whom the model works for. */
function failureResult(error: unknown): ToolResult {
  if (isServiceError(error)) return toolError(error)
  const code = error instanceof CommandFailure ? error.code : 'unreachable'
  const isPassing = isUnreachable(error) || code === 'unreachable'
  return failedResult(describeFailure(error).line, { code, retryable: isPassing })
}
