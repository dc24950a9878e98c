import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  Client as HttpClient,
  StreamableHTTPClientTransport as HttpTransport,
} from '@modelcontextprotocol/client'
import { serveApi } from '@svc/api/testing/serve-api'
import { type AgentName, agentNames, agentTool } from '@svc/cli/agents/agent-tools'
import { valueAt } from '@svc/cli/agents/config-syntax'
import { runCommandLine } from '@svc/cli/program'
import { read } from '@svc/cli/testing/agents'
import { testCli } from '@svc/cli/testing/cli'
import { createGateway } from '@svc/mcp-gateway/app'
import { createLog } from '@svc/process/log'
import { LimitsEnvironment, limiterOf } from '@svc/service/limits'
import { verifies } from '@svc/testing/verifies'
import { test as base } from '@svc/domain/testing/world'
import { expect } from 'vitest'
import { z } from 'zod'
import { clientKinds, connectStdio } from './stdio-clients.ts'

const main = fileURLToPath(import.meta.resolve('@svc/cli/main'))
const gatewayUrl = 'http://127.0.0.1:4601'
const log = createLog({ name: 'test', level: 'silent' })

/** The API, the hosted endpoint, and the home of a person who has signed in on this machine. */
const test = base.extend(
  'service',
  { scope: 'file' },
  async ({ world, database }, { onCleanup }) => {
    const opened = new AsyncDisposableStack()
    onCleanup(() => opened.disposeAsync())
    const { domain, alice } = world
    const { url: baseUrl } = opened.use(await serveApi(database.connectionString))
    const limiter = limiterOf(LimitsEnvironment.parse({}))
    const baseUrlOf = () => gatewayUrl
    const gateway = createGateway({ domain, log, limiter, baseUrl: baseUrlOf, isEnabled: true })
    const { path: home } = opened.use(await mkdtempDisposable(join(tmpdir(), 'svc-agents-')))
    await mkdir(join(home, '.config/svc'), { recursive: true })
    const credentials = JSON.stringify({ baseUrl, token: alice.token })
    await writeFile(join(home, '.config/svc/credentials.json'), credentials, { mode: 0o600 })
    return { home, hosted: await listHosted(gateway, alice.token) }
  },
)

type Gateway = ReturnType<typeof createGateway>

async function listHosted(gateway: Gateway, token: string): Promise<unknown[]> {
  const client = new HttpClient({ name: 'test', version: '1' })
  const transport = new HttpTransport(new URL('/mcp', gatewayUrl), {
    requestInit: { headers: { authorization: `Bearer ${token}`, host: new URL(gatewayUrl).host } },
    fetch: async (url, init) => gateway.request(url, init, {}),
  })
  await client.connect(transport)
  const { tools } = await client.listTools()
  await client.close()
  return tools
}

const Environment = z.record(z.string(), z.string()).default({})
/** A program and its arguments, as the agents have them: apart, or in one list. */
const Started = z.union([
  z.object({ command: z.string(), args: z.array(z.string()), env: Environment }),
  z
    .object({ command: z.tuple([z.string()], z.string()), environment: Environment })
    .transform(({ command: [command, ...args], environment: env }) => ({ command, args, env })),
])

const pairs = agentNames.map((name, index) => {
  const kind = clientKinds[index % clientKinds.length] ?? 'modern'
  return [name, kind] as const
})

/** Describes the agents from one position to another in the list of those that svc knows. */
export function describeAgents(from: number, to?: number) {
  test.for(pairs.slice(from, to))(
    verifies(
      ['connector.several-agents', 'connector.same-names', 'connector.same-input-shapes'],
      '%s has the tools of the hosted endpoint by what svc wrote for it, with a %s client',
    ),
    async ([name, kind], { service: { home, hosted } }) => {
      const { cli } = testCli({ HOME: home })
      await runCommandLine({ ...cli, main }, ['agents', 'setup', name])
      await using tools = await connectStdio(kind, startOf(name, home))
      expect(await tools.listTools()).toEqual(hosted)
      const answer = await tools.callTool('svc_resolve_project', {})
      expect(answer.isError).toBeUndefined()
    },
  )
}

/** What the agent starts, by its own settings. */
function startOf(name: AgentName, home: string) {
  const tool = agentTool(name)
  const entry = valueAt(read(tool.userFile({ HOME: home })), [tool.table, 'svc'])
  const { command, args, env } = Started.parse(entry)
  return { command, args, env: { HOME: home, ...env } }
}
