import { anthropic } from '../model/anthropic.ts'
import { type Tool, dummyKey, writeSettings } from './tool.ts'

export const claude: Tool = {
  key: 'claude',
  binary: 'claude',
  title: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  installs: '@anthropic-ai/claude-code',
  dialect: anthropic,
  hands: {
    run: (command) => ({ name: 'Bash', input: { command, description: 'Do the next step' } }),
    write: (path, content) => ({ name: 'Write', input: { file_path: path, content } }),
  },
  settle(home, modelUrl) {
    writeSettings(home, '.claude.json', JSON.stringify({ hasCompletedOnboarding: true }))
    return {
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: dummyKey,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // it refuses some modes of permission to root elsewhere
      IS_SANDBOX: '1',
    }
  },
  // as a subscription has it; an API key is told by the body alone
  quotaWall: {
    source:
      'its own source reads these headers; https://github.com/paperclipai/paperclip/pull/5776 has what it then prints',
    environment: { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: `sk-ant-oat01-${dummyKey}` },
    refuse: (resetsAt) => ({
      status: 429,
      headers: {
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-representative-claim': 'five_hour',
        'anthropic-ratelimit-unified-reset': String(resetsAt),
        'anthropic-ratelimit-unified-5h-status': 'rejected',
        'anthropic-ratelimit-unified-5h-utilization': '1',
        'anthropic-ratelimit-unified-5h-reset': String(resetsAt),
        'anthropic-ratelimit-unified-overage-status': 'rejected',
        'anthropic-ratelimit-unified-overage-disabled-reason': 'org_level_disabled',
      },
      body: {
        type: 'error',
        error: {
          type: 'rate_limit_error',
          message: 'This request would exceed your account’s rate limit. Please try again later.',
        },
      },
    }),
  },
  signedOut: {
    source: 'https://platform.claude.com/docs/en/api/errors (401 authentication_error)',
    environment: { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: `sk-ant-oat01-${dummyKey}` },
    refuse: () => ({
      status: 401,
      body: {
        type: 'error',
        error: { type: 'authentication_error', message: 'OAuth token has expired.' },
      },
    }),
  },
  help: [['--help']],
  hidden: {
    '--append-system-prompt-file': ['-p', '--append-system-prompt-file', '/nonexistent', 'x'],
  },
}
