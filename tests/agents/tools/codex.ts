import { responses } from '../model/responses.ts'
import type { Call } from '../model/steps.ts'
import { invalidKey } from './openai-refusals.ts'
import { type Tool, dummyKey, writeSettings } from './tool.ts'

const settings = (modelUrl: string) => `
model = "gpt-5.2-codex"
model_provider = "loopback"
check_for_update_on_startup = false

[model_providers.loopback]
name = "loopback"
base_url = "${modelUrl}/v1"
env_key = "CODEX_API_KEY"
wire_api = "responses"

[analytics]
enabled = false
`

export const codex: Tool = {
  key: 'codex',
  binary: 'codex',
  title: 'Codex',
  package: '@openai/codex',
  installs: '@openai/codex',
  dialect: responses,
  hands: { run, write },
  settle(home, modelUrl) {
    writeSettings(home, '.codex/config.toml', settings(modelUrl))
    return { CODEX_API_KEY: dummyKey }
  },
  quotaWall: {
    source:
      'https://github.com/openai/codex codex-rs/codex-api/src/api_bridge.rs (429 usage_limit_reached)',
    refuse: (resetsAt) => ({
      status: 429,
      body: {
        error: {
          type: 'usage_limit_reached',
          message: 'The usage limit has been reached',
          plan_type: 'plus',
          resets_at: resetsAt,
        },
      },
    }),
  },
  signedOut: invalidKey,
  help: [
    ['exec', '--help'],
    ['exec', 'resume', '--help'],
  ],
}

/** By the version and the model it offers one of several tools for commands. */
function run(command: string, offered: readonly string[]): Call {
  if (offered.includes('exec_command')) return { name: 'exec_command', input: { cmd: command } }
  if (offered.includes('shell_command')) return { name: 'shell_command', input: { command } }
  return { name: 'shell', input: { command: ['bash', '-lc', command] } }
}

function write(path: string, content: string, offered: readonly string[]): Call {
  const lines = content
    .trimEnd()
    .split('\n')
    .map((line) => `+${line}`)
  const input = ['*** Begin Patch', `*** Add File: ${path}`, ...lines, '*** End Patch'].join('\n')
  if (offered.includes('apply_patch')) {
    return { name: 'apply_patch', input: { input }, isFreeform: true }
  }
  return run(`apply_patch <<'EOF'\n${input}\nEOF`, offered)
}
