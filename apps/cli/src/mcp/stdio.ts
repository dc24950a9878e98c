import { once } from 'node:events'
import { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { describeTools } from '@svc/contracts/mcp/describe-tool'
import { type ToolName, toolContracts, toolInstructions } from '@svc/contracts/mcp/tools'
import { version } from '@svc/contracts/version'
import type { Cli } from '../cli.ts'
import { callLocalTool } from './bridge.ts'

/** Serves an agent on this machine until it closes its end. Both eras of the protocol; stdout is theirs alone. */
export async function serveTools(cli: Cli): Promise<void> {
  const ended = once(process.stdin, 'close')
  const transport = new StdioServerTransport()
  const serving = serveStdio(() => createServer(cli), {
    transport,
    onerror: (error) => void cli.stderr.write(`mcp: ${error.message}\n`),
  })
  await ended
  await serving.close()
}

function createServer(cli: Cli): Server {
  const server = new Server(
    { name: 'svc', title: 'svc', version },
    { capabilities: { tools: {} }, instructions: toolInstructions },
  )
  server.setRequestHandler('tools/list', () => ({ tools: describeTools() }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { name } = params
    if (!isToolName(name)) throw unknownTool(name)
    return { ...(await callLocalTool(cli, { ...params, name })) }
  })
  return server
}

function isToolName(name: string): name is ToolName {
  return Object.hasOwn(toolContracts, name)
}

function unknownTool(name: string): Error {
  return Object.assign(new Error(`Unknown tool: ${name.slice(0, 100)}`), { code: -32602 })
}
