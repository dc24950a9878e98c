import { echoed } from '@svc/contracts/echoed'
import { type ServiceError, isServiceError } from '@svc/contracts/errors'
import {
  type ToolResult,
  idempotencyKeyOf,
  invalidArguments,
  toolError,
  toolResult,
} from '@svc/contracts/mcp/tool-result'
import { type ToolName, toolContract, toolContracts } from '@svc/contracts/mcp/tools'
import { readWidget, widgetResources } from '@svc/contracts/mcp/widgets'
import type { Actor } from '@svc/domain/common/actor'
import type { Domain } from '@svc/domain/domain'
import { callTool } from '@svc/domain/handlers/tools'
import { idempotencyOf } from '@svc/domain/use-case'
import { readIdempotencyKey } from '@svc/http/idempotency-key'
import type { RateLimiter } from '@svc/http/rate-limit'
import type { Log } from '@svc/process/log'
import { callerOf } from '@svc/service/limits'
import { RpcError, rpcCode } from './rpc-error.ts'
import { toolList } from './server-info.ts'

/** Who calls, and the identifiers of one HTTP request. */
export interface McpCall {
  actor: Actor
  requestId: string
  /** The network that it came from. */
  from: string
  /** Aborts when the client has gone. */
  signal: AbortSignal
  /** What the arguments are refused for, whatever the tool. */
  refused?: ServiceError
}

export interface ToolCall {
  name: string
  arguments?: Record<string, unknown> | undefined
  _meta?: Record<string, unknown> | undefined
}

export interface HandlerParts {
  domain: Domain
  log: Log
  limiter: RateLimiter
  /** The public origin, asked per request: who takes a free port knows it once it listens. */
  baseUrl: () => string
}

export type McpHandlers = ReturnType<typeof createHandlers>

/** What each method does, in no revision's words. */
export function createHandlers(parts: HandlerParts) {
  return {
    listTools: () => ({ tools: [...toolList] }),
    callTool: (params: ToolCall, call: McpCall) => answerTool(parts, params, call),
    listResources: () => ({ resources: [...widgetResources] }),
    /** The revisions differ in how they say that there is none. */
    readResource(uri: unknown, notFound: number) {
      const widget = readWidget(String(uri))
      if (!widget) throw new RpcError(notFound, 'Resource not found', { uri: echoed(String(uri)) })
      return { contents: [widget] }
    },
    listResourceTemplates: () => ({ resourceTemplates: [] }),
  }
}

/** What a caller can correct is answered as a result, which its model reads; the rest is an error of the protocol. */
async function answerTool(
  parts: HandlerParts,
  params: ToolCall,
  call: McpCall,
): Promise<ToolResult> {
  try {
    return toolResult(await runTool(parts, params, call))
  } catch (error) {
    if (error instanceof RpcError) throw error
    if (isServiceError(error)) return toolError(error)
    const { requestId } = call
    parts.log.error({ err: error, requestId, tool: params.name }, 'a tool failed unexpectedly')
    throw new RpcError(rpcCode.internal, 'Internal error', { requestId })
  }
}

async function runTool(
  { domain, limiter, baseUrl }: HandlerParts,
  params: ToolCall,
  { actor, signal, from, refused }: McpCall,
): Promise<Record<string, unknown>> {
  const { name } = params
  if (!isToolName(name)) {
    limiter.take({ ...callerOf(actor), isRead: true })
    throw new RpcError(rpcCode.invalidParams, `Unknown tool: ${echoed(name)}`)
  }
  const contract = toolContract(name)
  if (refused) {
    limiter.take({ ...callerOf(actor), isRead: contract.hints.readOnly })
    throw refused
  }
  const parsed = contract.input.safeParse(params.arguments ?? {})
  limiter.take({
    ...callerOf(actor),
    isRead: contract.hints.readOnly,
    counts: contract.counts,
    ...(parsed.success && { input: parsed.data }),
  })
  if (!parsed.success) throw invalidArguments(contract, parsed.error)
  const key = readIdempotencyKey(name, idempotencyKeyOf(params), parsed.data)
  const context = {
    domain,
    signal,
    from,
    baseUrl: baseUrl(),
    ...(key && { idempotency: idempotencyOf(actor, key) }),
  }
  return callTool(context, actor, name, parsed.data)
}

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(toolContracts, name)
}
