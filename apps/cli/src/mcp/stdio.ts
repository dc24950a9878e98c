import { once } from 'node:events'
import { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { describeTools } from '@svc/contracts/mcp/describe-tool'
import { type ToolName, toolContracts, toolInstructions } from '@svc/contracts/mcp/tools'
import { readWidget, widgetCapabilities, widgetResources } from '@svc/contracts/mcp/widgets'
import { version } from '@svc/contracts/version'
import { clearUp } from '@svc/runner/processes/clear-up'
import type { Cli } from '../cli.ts'
import { callLocalTool } from './bridge.ts'

/** An agent has asked for the tools by then. */
const clearUpMs = 1_000

/** Serves an agent on this machine until it closes its end. Both eras of the protocol; stdout is theirs alone. */
export async function serveTools(cli: Cli): Promise<void> {
  const ended = once(process.stdin, 'close')
  const transport = new StdioServerTransport()
  const serving = serveStdio(() => createServer(cli), {
    transport,
    onerror: (error) => void cli.stderr.write(`mcp: ${error.message}\n`),
  })
  setTimeout(clearUp, clearUpMs).unref()
  await ended
  await serving.close()
}

function createServer(cli: Cli): Server {
  const server = new Server(
    { name: 'svc', title: 'svc', version },
    { capabilities: { tools: {}, ...widgetCapabilities }, instructions: toolInstructions },
  )
  server.setRequestHandler('tools/list', () => ({ tools: describeTools() }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { name } = params
    if (!isToolName(name)) throw unknown('tool', name)
    return { ...(await callLocalTool(cli, { ...params, name })) }
  })
  server.setRequestHandler('resources/list', () => ({ resources: [...widgetResources] }))
  server.setRequestHandler('resources/read', ({ params }) => {
    const widget = readWidget(params.uri)
    if (!widget) throw unknown('resource', params.uri)
    return { contents: [widget] }
  })
  return server
}

function isToolName(name: string): name is ToolName {
  return Object.hasOwn(toolContracts, name)
}

function unknown(what: 'tool' | 'resource', name: string): Error {
  return Object.assign(new Error(`Unknown ${what}: ${name.slice(0, 100)}`), { code: -32602 })
}
