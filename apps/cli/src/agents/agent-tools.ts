import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** How an agent reaches the tools: at the service's own address, or by the connector on this machine. */
export type Mode = 'hosted' | 'local'

/** What an agent starts to speak with the connector. */
export interface StartCommand {
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
}

type Value = string | readonly string[] | Readonly<Record<string, string>>
export type Entry = Readonly<Record<string, Value>>

type Environment = Readonly<Record<string, string | undefined>>

/** An agent that speaks MCP, and how it writes its servers down. */
interface AgentTool {
  title: string
  /** The settings file of the person, which holds for all of their folders. */
  userFile(env: Environment): string
  /** The settings file of a folder, which holds for everybody who works there. */
  projectFile(folder: string): string
  /** `json` is strict; `jsonc` has comments, and may end a list with a comma. */
  syntax: 'json' | 'jsonc' | 'toml'
  /** Where the servers stand in it, by name. */
  table: string
  /** Where the table has this table, the servers stand in that. */
  within?: string
  hosted(url: string): Entry
  local(start: StartCommand): Entry
  /** What a new entry has besides; a person may change it. */
  also?: Entry
  /** What makes sense in one mode alone, so that it goes with it. */
  only: Readonly<Record<Mode, readonly string[]>>
  /** What older versions had for the address. */
  older?: readonly string[]
  /** What a person does next. */
  reload: string
  check: string
  signIn: string
}

const home = (env: Environment) => env['HOME'] || homedir()

function commandAndArguments({ command, args, env }: StartCommand): Entry {
  return { command, args, ...(Object.keys(env).length > 0 && { env }) }
}

const started = ['command', 'args', 'env', 'cwd'] as const
const called = ['url', 'headers', 'oauth'] as const

/** The first that is there; else the first, to be made. */
function firstThere(...paths: [string, ...string[]]): string {
  return paths.find((path) => existsSync(path)) ?? paths[0]
}

/** To add an agent is to add a row. Each entry is the one that the agent's own `mcp add` writes. */
export const agentTools = {
  claude: {
    title: 'Claude Code',
    userFile: (env) => join(env['CLAUDE_CONFIG_DIR'] || home(env), '.claude.json'),
    projectFile: (folder) => join(folder, '.mcp.json'),
    syntax: 'json',
    table: 'mcpServers',
    hosted: (url) => ({ type: 'http', url }),
    local: (start) => ({ type: 'stdio', ...commandAndArguments(start) }),
    only: { hosted: called, local: started },
    reload: 'start Claude Code anew',
    check: 'claude mcp list',
    signIn: 'claude mcp login svc, or in Claude Code type /mcp, choose svc, and authenticate',
  },
  codex: {
    title: 'Codex',
    userFile: (env) => join(env['CODEX_HOME'] || join(home(env), '.codex'), 'config.toml'),
    projectFile: (folder) => join(folder, '.codex', 'config.toml'),
    syntax: 'toml',
    table: 'mcp_servers',
    hosted: (url) => ({ url }),
    local: commandAndArguments,
    only: {
      hosted: ['url', 'bearer_token_env_var', 'http_headers', 'env_http_headers', 'scopes'],
      local: [...started, 'env_vars'],
    },
    reload: 'start Codex anew',
    check: 'in Codex type /mcp',
    signIn: 'codex mcp login svc',
  },
  gemini: {
    title: 'Gemini CLI',
    userFile: (env) => join(env['GEMINI_CLI_HOME'] || home(env), '.gemini', 'settings.json'),
    projectFile: (folder) => join(folder, '.gemini', 'settings.json'),
    syntax: 'jsonc',
    table: 'mcpServers',
    hosted: (url) => ({ url, type: 'http' }),
    local: commandAndArguments,
    only: { hosted: [...called, 'type', 'authProviderType'], local: started },
    older: ['httpUrl'],
    reload: 'start Gemini CLI anew',
    check: 'gemini mcp list, in a folder that it trusts',
    signIn: 'in Gemini CLI type /mcp auth svc',
  },
  cursor: {
    title: 'Cursor',
    userFile: (env) => join(home(env), '.cursor', 'mcp.json'),
    projectFile: (folder) => join(folder, '.cursor', 'mcp.json'),
    syntax: 'jsonc',
    table: 'mcpServers',
    hosted: (url) => ({ url }),
    local: commandAndArguments,
    only: { hosted: [...called, 'auth', 'type'], local: [...started, 'envFile', 'type'] },
    reload: 'start Cursor anew',
    check: 'agent mcp list-tools svc, or look under Customize, MCPs',
    signIn: 'agent mcp login svc, or connect svc under Customize, MCPs',
  },
  opencode: {
    title: 'opencode',
    userFile: (env) => {
      const folder = join(env['XDG_CONFIG_HOME'] || join(home(env), '.config'), 'opencode')
      return firstThere(join(folder, 'opencode.json'), join(folder, 'opencode.jsonc'))
    },
    projectFile: (folder) =>
      firstThere(join(folder, 'opencode.json'), join(folder, 'opencode.jsonc')),
    syntax: 'jsonc',
    table: 'mcp',
    within: 'servers',
    hosted: (url) => ({ type: 'remote', url }),
    local: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      ...(Object.keys(env).length > 0 && { environment: env }),
    }),
    only: { hosted: called, local: ['command', 'environment', 'cwd'] },
    reload: 'start opencode anew',
    check: 'opencode mcp list',
    signIn: 'opencode mcp auth svc',
  },
  copilot: {
    title: 'GitHub Copilot CLI',
    userFile: (env) => join(env['COPILOT_HOME'] || join(home(env), '.copilot'), 'mcp-config.json'),
    projectFile: (folder) => join(folder, '.github', 'mcp.json'),
    syntax: 'jsonc',
    table: 'mcpServers',
    hosted: (url) => ({ type: 'http', url }),
    local: (start) => ({ type: 'local', ...commandAndArguments(start) }),
    also: { tools: ['*'] },
    only: { hosted: called, local: started },
    reload: 'start Copilot CLI anew',
    check: 'in Copilot CLI type /mcp show svc',
    signIn: 'in Copilot CLI type /mcp auth svc',
  },
} as const satisfies Readonly<Record<string, AgentTool>>

export type AgentName = keyof typeof agentTools
// the keys of a table that is written above
export const agentNames = Object.keys(agentTools) as AgentName[]

export function agentTool(name: AgentName): AgentTool {
  return agentTools[name]
}

/** What every agent calls the service by. */
export const serverName = 'svc'
