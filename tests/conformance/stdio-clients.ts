import { Client as ModernClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { type McpClient, mcpClientOf } from '@svc/mcp-gateway/testing/mcp-client'

/** Both generations of the SDK. */
export const clientKinds = ['legacy', 'modern'] as const
export type ClientKind = (typeof clientKinds)[number]

interface Start {
  command: string
  args: string[]
  env: Record<string, string>
}

/** Starts a server as an agent does, and speaks with it. */
export async function connectStdio(kind: ClientKind, start: Start): Promise<McpClient> {
  const env = { PATH: process.env['PATH'] ?? '', ...start.env }
  const parameters = { ...start, env, stderr: 'ignore' as const }
  if (kind === 'legacy') {
    const client = new LegacyClient({ name: 'test', version: '1' })
    await client.connect(new LegacyTransport(parameters))
    return mcpClientOf(client)
  }
  const client = new ModernClient(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  )
  await client.connect(new ModernTransport(parameters))
  return mcpClientOf(client)
}
