import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { z } from 'zod'
import type { McpCall, McpHandlers, ToolCall } from './handlers.ts'
import { rpcCode } from './rpc-error.ts'
import { capabilities, instructions, noValidator, serverInfo } from './server-info.ts'

/** The revisions before 2026-07-28. Without sessions: each request meets a server of its own, on any replica. */
export async function serveLegacy(
  request: Request,
  parsedBody: unknown,
  handlers: McpHandlers,
  call: McpCall,
): Promise<Response> {
  const server = createServer(handlers, call)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  // its optional callbacks are declared in a way that exactOptionalPropertyTypes cannot match
  await server.connect(transport as Parameters<typeof server.connect>[0])
  try {
    return await transport.handleRequest(acceptingBoth(request), { parsedBody })
  } finally {
    await server.close()
  }
}

/** The transport answers 406 to a client that names one of the two types only, as some do. */
function acceptingBoth(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.set('accept', 'application/json, text/event-stream')
  return new Request(request.url, { method: 'POST', headers })
}

function createServer(handlers: McpHandlers, call: McpCall): Server {
  const server = new Server(serverInfo, {
    capabilities,
    instructions,
    jsonSchemaValidator: noValidator,
  })
  server.setRequestHandler(requestOf('tools/list'), () => handlers.listTools())
  server.setRequestHandler(requestOf('tools/call'), async ({ params }) => ({
    // the SDK has parsed the call before it comes here
    ...(await handlers.callTool(params as unknown as ToolCall, call)),
  }))
  server.setRequestHandler(requestOf('resources/list'), () => handlers.listResources())
  server.setRequestHandler(requestOf('resources/templates/list'), () =>
    handlers.listResourceTemplates(),
  )
  server.setRequestHandler(requestOf('resources/read'), ({ params }) =>
    handlers.readResource(params?.['uri'], rpcCode.legacyResourceNotFound),
  )
  return server
}

/** Takes any parameters: with a schema for them, the SDK would answer wrong ones as an internal error. */
function requestOf<Method extends string>(method: Method) {
  return z.object({ method: z.literal(method), params: z.looseObject({}).optional() })
}
