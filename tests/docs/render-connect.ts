import { type AgentName, agentNames, agentTool } from '@svc/cli/agents/agent-tools'
import { connectorOptions } from '@svc/cli/agents/connection'
import { code, page, table } from './markdown.ts'

const start = {
  command: '/path/to/node',
  args: [...connectorOptions, '/path/to/svc/apps/cli/src/main.ts', 'mcp'],
  env: {},
}
const url = 'https://svc.example.com/mcp'
const env = { HOME: '~' }

/** How each client is connected: by the command, and by hand. */
export function connectPage(): string {
  return page(
    'Connect a client',
    'A client that speaks MCP has the [tools](tools.md) of the service in one of two ways, with the same tools in both:',
    table(
      ['', 'the client reaches', 'signs in', 'knows'],
      [
        [
          'hosted',
          '`{base_url}/mcp`, where the service runs with `SVC_MCP_ENABLED=true`',
          'by itself, in a browser',
          'what the service knows',
        ],
        [
          'local',
          '`svc mcp`, which it starts',
          'not at all: it is who `svc whoami` says',
          'also which files changed in its checkout',
        ],
      ],
    ),
    '`svc agents setup <agent>` writes either into the settings of an agent on this machine, keeps what is there, and says what to do next. `--hosted` and `--local` choose, `--dry-run` shows the lines, `--project <path>` takes the file of a project in place of your own, `--remove` takes it out again. No token is ever written. By hand, it is what stands below.',
    'Some clients, as Claude Code and Codex, say who they are by the address of a document on the internet, which the service reads. A service that cannot reach it lets nobody in by them until it runs with `SVC_OAUTH_CIMD=false`, which has them register themselves instead; a client that has tried before has to be signed out first, as by `claude mcp logout svc`.',
    ...agentNames.flatMap(section),
    '## Others',
    'Any other client that speaks MCP over HTTP takes the address, `{base_url}/mcp`, and nothing else. One that starts a program takes the command and the arguments of a local entry, such as `svc agents setup cursor --local --dry-run` shows; `npx mcp-remote {base_url}/mcp` is a program that signs in by itself, for one that knows nothing else. [server.json](../server.json) describes the service for the MCP registry: whoever publishes it gives it a name in a namespace of theirs, in place of `com.example`.',
  )
}

function section(name: AgentName): string[] {
  const tool = agentTool(name)
  const rows = [
    ['your settings', code(tool.userFile(env))],
    ['of a project', code(tool.projectFile('.'))],
    ['then', `${tool.reload}; see that it answers: ${tool.check}`],
    ['sign in, when hosted', tool.signIn],
  ]
  return [
    `## ${tool.title}`,
    code(`svc agents setup ${name}`),
    table(['', ''], rows),
    written(name),
  ]
}

/** The entry hosted, and local. */
function written(name: AgentName): string {
  const tool = agentTool(name)
  const entries = [tool.hosted(url), tool.local(start)].map((entry) => ({ ...entry, ...tool.also }))
  const fence = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``
  if (tool.syntax !== 'toml') {
    return entries.map((entry) => fence('json', inTable(tool.table, entry))).join('\n\n')
  }
  const tables = entries.map((entry) => {
    const lines = Object.entries(entry).map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
    return [`[${tool.table}.svc]`, ...lines].join('\n')
  })
  return tables.map((text) => fence('toml', text)).join('\n\n')
}

function inTable(table: string, entry: object): string {
  const lines = Object.entries(entry).map(
    ([key, value]) => `      ${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  )
  return `{\n  "${table}": {\n    "svc": {\n${lines.join(',\n')}\n    }\n  }\n}`
}
