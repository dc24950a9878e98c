import type { ToolDescription } from '@svc/contracts/mcp/describe-tool'
import type { ToolResult } from '@svc/contracts/mcp/tool-result'

/** What the clients of both SDKs can do, in one shape, over whatever transport. */
export interface McpClient extends AsyncDisposable {
  instructions(): string | undefined
  listTools(): Promise<ToolDescription[]>
  callTool(name: string, args?: object, meta?: Record<string, unknown>): Promise<ToolResult>
  listResources(): Promise<unknown[]>
  readResource(uri: string): Promise<unknown[]>
}

/** As much of the two as is the same. */
interface SdkClient {
  getInstructions(): string | undefined
  listTools(): Promise<{ tools: unknown }>
  callTool(params: {
    name: string
    arguments: Record<string, unknown>
    _meta?: Record<string, unknown>
  }): Promise<unknown>
  listResources(): Promise<{ resources: unknown[] }>
  readResource(params: { uri: string }): Promise<{ contents: unknown[] }>
  close(): Promise<void>
}

/** Of one that is connected. */
export function mcpClientOf(client: SdkClient): McpClient {
  return {
    instructions: () => client.getInstructions(),
    // the SDKs check what they are answered; the service's own types say more of it
    listTools: async () => (await client.listTools()).tools as ToolDescription[],
    callTool: async (name, args = {}, _meta) =>
      // as above
      (await client.callTool({
        name,
        arguments: { ...args },
        ...(_meta && { _meta }),
      })) as ToolResult,
    listResources: async () => (await client.listResources()).resources,
    readResource: async (uri) => (await client.readResource({ uri })).contents,
    [Symbol.asyncDispose]: () => client.close(),
  }
}
