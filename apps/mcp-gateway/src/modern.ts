import {
  type McpRequestContext,
  Server,
  createMcpHandler,
  isLegacyRequest,
} from '@modelcontextprotocol/server'
import type { McpCall, McpHandlers } from './handlers.ts'
import { rpcCode } from './rpc-error.ts'
import { capabilities, instructions, noValidator, serverInfo } from './server-info.ts'

export interface ModernLeg {
  serve: (request: Request, parsedBody: unknown, call: McpCall) => Promise<Response>
}

/** Nothing here ever changes, so a subscription only waits for its end. */
const maxSubscriptions = 32
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Revision 2026-07-28, in which every request says all about itself. */
export function createModernLeg(handlers: McpHandlers): ModernLeg {
  const calls = new WeakMap<Request, McpCall>()
  const handler = createMcpHandler((context) => createServer(handlers, callOf(calls, context)), {
    legacy: 'reject',
    maxSubscriptions,
  })
  return {
    serve(request, parsedBody, call) {
      calls.set(request, call)
      return handler.fetch(request, { parsedBody })
    },
  }
}

/** Whether a body belongs to a revision before that; the SDK's own decision. */
export function isLegacyBody(request: Request, parsedBody: unknown): Promise<boolean> {
  return isLegacyRequest(request, parsedBody)
}

function callOf(calls: WeakMap<Request, McpCall>, { requestInfo }: McpRequestContext): McpCall {
  const call = requestInfo && calls.get(requestInfo)
  if (!call) throw new Error('a request reached the modern leg without its caller')
  return call
}

function createServer(handlers: McpHandlers, call: McpCall): Server {
  const server = new Server(serverInfo, {
    capabilities,
    instructions,
    jsonSchemaValidator: noValidator,
    cacheHints: {
      'server/discover': { ttlMs: minuteMs, cacheScope: 'private' },
      'tools/list': { ttlMs: minuteMs, cacheScope: 'private' },
      'resources/list': { ttlMs: minuteMs, cacheScope: 'private' },
      'resources/templates/list': { ttlMs: minuteMs, cacheScope: 'private' },
      // widgets, which hold nothing of anybody
      'resources/read': { ttlMs: hourMs, cacheScope: 'public' },
    },
  })
  server.setRequestHandler('tools/list', () => handlers.listTools())
  server.setRequestHandler('tools/call', async ({ params }) => ({
    ...(await handlers.callTool(params, call)),
  }))
  server.setRequestHandler('resources/list', () => handlers.listResources())
  server.setRequestHandler('resources/templates/list', () => handlers.listResourceTemplates())
  server.setRequestHandler('resources/read', ({ params }) =>
    handlers.readResource(params.uri, rpcCode.invalidParams),
  )
  return server
}
