import type { Adapter } from './adapter.ts'

const claudeResult = { type: 'result' }
const codexTurn = { type: 'turn.completed' }

// spec: Launch payload assembly, item 3
/** The agents that are known by themselves. Rights: edit files and run `svc`. */
export const builtInAdapters = [
  {
    key: 'scripted',
    binary: 'svc-scripted-agent',
    versionArgs: ['--version'],
    argv: [
      ['--system-prompt-file', '{briefing}'],
      ['--model', '{model}'],
      ['{flags}'],
      ['--', '{message}'],
    ],
    briefing: 'system_prompt_file',
    sessionId: 'none',
    usage: {},
  },
  {
    key: 'claude',
    binary: 'claude',
    versionArgs: ['--version'],
    argv: [
      ['-p'],
      ['--output-format', 'stream-json'],
      ['--verbose'],
      ['--session-id', '{sessionId}'],
      ['--append-system-prompt-file', '{briefing}'],
      ['--model', '{model}'],
      ['--effort', '{effort}'],
      ['--permission-mode', 'acceptEdits'],
      ['--allowedTools', 'Bash(svc:*)'],
      ['{flags}'],
      ['--', '{message}'],
    ],
    briefing: 'system_prompt_file',
    sessionId: 'preassigned',
    usage: {
      inputTokens: { event: claudeResult, path: ['usage', 'input_tokens'] },
      outputTokens: { event: claudeResult, path: ['usage', 'output_tokens'] },
      usd: { event: claudeResult, path: ['total_cost_usd'] },
    },
  },
  {
    key: 'codex',
    binary: 'codex',
    versionArgs: ['--version'],
    argv: [
      ['exec'],
      ['--json'],
      ['-C', '{cwd}'],
      ['--skip-git-repo-check'],
      ['-m', '{model}'],
      ['-c', 'model_reasoning_effort="{effort}"'],
      ['-c', 'developer_instructions={briefing}'],
      ['-s', 'workspace-write'],
      ['-c', 'sandbox_workspace_write.network_access=true'],
      ['{flags}'],
      ['--', '{message}'],
    ],
    briefing: 'config_key',
    sessionId: 'read',
    sessionIdAt: { event: { type: 'thread.started' }, path: ['thread_id'] },
    usage: {
      inputTokens: { event: codexTurn, path: ['usage', 'input_tokens'] },
      outputTokens: { event: codexTurn, path: ['usage', 'output_tokens'] },
    },
  },
] as const satisfies readonly Adapter[]
