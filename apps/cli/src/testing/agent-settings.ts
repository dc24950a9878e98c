import type { AgentName } from '../agents/agent-tools.ts'
import { start, url } from './agents.ts'

const [command, ...args] = start

/** What a test expects of an agent: the table of agents once more, from what the agents write themselves. */
interface Expected {
  file: string
  /** The variable that moves the file, and where to when it names the folder `moved`. */
  moved?: [variable: string, file: string]
  project: string
  at: readonly string[]
  hosted: object
  local: object
  /** Settings of a person's own, and what they have added to our entry. */
  settings: string
  addition: [line: string, key: string, value: unknown]
}

const strict = `{
  "theme": "dark",
  "mcpServers": {
    "other": { "command": "x", "env": { "TOKEN": "secret-of-another" } }
  },
  "projects": { "/a": { "mcpServers": {} } }
}
`
const commented = `{
    // mine
    "mcpServers": {
        /* a server of another */
        "other": {"url": "https://x/mcp", "headers": {"X": "secret-of-another"}} // keep it
        // nothing more
    },
    "general":   { "vimMode": true }
}
`
const trailing = `// head
{
\t"$schema": "https://opencode.ai/config.json", // the schema
\t"mcp": {
\t\t"other": { "type": "remote", "url": "https://x/secret-of-another" }, // keep it
\t},
}
`
const tables = `# my own
model = "best"   # of all
notify = ["say",
  "done"]

[mcp_servers.other] # of another
command = 'x'
env = { "TOKEN" = "secret-of-another" }

# what follows is about the terminal
[tui]
notifications = true
text = """
[mcp_servers.svc]
"""
`

export const expected: Readonly<Record<AgentName, Expected>> = {
  claude: {
    file: '.claude.json',
    moved: ['CLAUDE_CONFIG_DIR', '.claude.json'],
    project: '.mcp.json',
    at: ['mcpServers'],
    hosted: { type: 'http', url },
    local: { type: 'stdio', command, args },
    settings: strict,
    addition: ['"alwaysLoad": true,', 'alwaysLoad', true],
  },
  codex: {
    file: '.codex/config.toml',
    moved: ['CODEX_HOME', 'config.toml'],
    project: '.codex/config.toml',
    at: ['mcp_servers'],
    hosted: { url },
    local: { command, args },
    settings: tables,
    addition: ['tool_timeout_sec = 90 # slow', 'tool_timeout_sec', 90],
  },
  gemini: {
    file: '.gemini/settings.json',
    moved: ['GEMINI_CLI_HOME', '.gemini/settings.json'],
    project: '.gemini/settings.json',
    at: ['mcpServers'],
    hosted: { url, type: 'http' },
    local: { command, args },
    settings: commented,
    addition: ['"trust": true, // ours', 'trust', true],
  },
  cursor: {
    file: '.cursor/mcp.json',
    project: '.cursor/mcp.json',
    at: ['mcpServers'],
    hosted: { url },
    local: { command, args },
    settings: commented,
    addition: ['"disabled": false, // ours', 'disabled', false],
  },
  opencode: {
    file: '.config/opencode/opencode.json',
    moved: ['XDG_CONFIG_HOME', 'opencode/opencode.json'],
    project: 'opencode.json',
    at: ['mcp'],
    hosted: { type: 'remote', url },
    local: { type: 'local', command: start },
    settings: trailing,
    addition: ['"timeout": 9000, // slow', 'timeout', 9000],
  },
  copilot: {
    file: '.copilot/mcp-config.json',
    moved: ['COPILOT_HOME', 'mcp-config.json'],
    project: '.github/mcp.json',
    at: ['mcpServers'],
    hosted: { type: 'http', url, tools: ['*'] },
    local: { type: 'local', command, args, tools: ['*'] },
    settings: commented,
    addition: ['"timeout": 9000, // slow', 'timeout', 9000],
  },
}
