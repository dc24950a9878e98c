import type { Adapter } from './adapter.ts'
import {
  claudeLimits,
  codexLimits,
  copilotLimits,
  geminiLimits,
  opencodeLimits,
  qwenLimits,
} from './limit-rows.ts'

const claudeResult = { type: 'result' }
const claudeFailed = { type: 'result', is_error: true }
/** Codex counts the tokens of its thread, whichever process had which. */
const codexTurn = { event: { type: 'turn.completed' }, covers: 'conversation' } as const

type Words = Adapter['argv']

/** One list for a conversation that begins and for one that goes on: they differ in how it is named. */
function bothWays(
  { begins, goesOn }: { begins: Words; goesOn: Words },
  words: (conversation: Words) => Words,
): Pick<Adapter, 'argv' | 'resumeArgv'> {
  return { argv: words(begins), resumeArgv: words(goesOn) }
}

const byFlag = {
  begins: [['--session-id', '{sessionId}']],
  goesOn: [['--resume', '{sessionId}']],
}

const bySubcommand = { begins: [], goesOn: [['resume', '{sessionId}']] }

const codexSandbox: Words = [
  ['-s', 'workspace-write'],
  ['-c', 'sandbox_workspace_write.network_access=true'],
  // the folder of a repository lies outside of its worktrees, and a commit writes there
  ['-c', 'sandbox_workspace_write.writable_roots={writableFolders}'],
]
const codexInWords =
  "change files in the worktrees of its run and commit them, and run any command in Codex's sandbox, which reaches the network and writes there, into Git's folder and temporary files alone"

const toReport = 'svc protocol'
const toCommit = ['git add', 'git commit']

/** Commands that Claude Code starts with any arguments behind them. */
function claudeRuns(...commands: string[]): Words {
  return commands.map((command) => ['--allowedTools', `Bash(${command}:*)`])
}

/** One that is spoken with by the Agent Client Protocol: all but its arguments is the same for each of them. */
function byProtocol({
  words,
  ...own
}: { words: Words } & Pick<Adapter, 'key' | 'limits' | 'tokensOf'>): Adapter {
  return {
    ...own,
    protocol: 'acp',
    binary: own.key,
    versionArgs: ['--version'],
    argv: [...words, ['{flags}']],
    // it asks, and is answered by them
    rights: { read: [], edit: [], work: [], all: [] },
    resumeArgv: [],
    briefing: 'first_message',
    sessionId: 'none',
    usage: {},
    errors: [],
  }
}

// spec: Launch payload assembly, item 3
/** The agents that are known by themselves. docs/agents.md says what each right means for each. */
export const builtInAdapters = [
  {
    key: 'scripted',
    protocol: 'argv',
    binary: 'svc-scripted-agent',
    versionArgs: ['--version'],
    ...bothWays(byFlag, (conversation) => [
      ['--system-prompt-file', '{briefing}'],
      ...conversation,
      ['--model', '{model}'],
      ['{flags}'],
      ['--', '{message}'],
    ]),
    // it does what its switches say, and nothing else
    rights: { read: [], edit: [], work: [], all: [] },
    briefing: 'system_prompt_file',
    sessionId: 'preassigned',
    usage: {},
    errors: [],
    limits: [],
  },
  {
    key: 'claude',
    protocol: 'argv',
    binary: 'claude',
    versionArgs: ['--version'],
    ...bothWays(byFlag, (conversation) => [
      ['-p'],
      ['--output-format', 'stream-json'],
      ['--verbose'],
      ...conversation,
      ['--append-system-prompt-file', '{briefing}'],
      ['--model', '{model}'],
      ['--effort', '{effort}'],
      ['--add-dir', '{otherFolder}'],
      ['{rights}'],
      ['{flags}'],
      ['--', '{message}'],
    ]),
    rights: {
      read: [
        ['--permission-mode', 'dontAsk'],
        ['--disallowedTools', 'Edit,Write,NotebookEdit'],
        ...claudeRuns(toReport),
      ],
      // other commands of svc start programs that files name, which the agent may write
      edit: [['--permission-mode', 'acceptEdits'], ...claudeRuns(toReport, ...toCommit)],
      work: [
        ['--permission-mode', 'acceptEdits'],
        ...claudeRuns('svc', ...toCommit, '{allowedCommand}'),
      ],
      all: [['--dangerously-skip-permissions']],
    },
    briefing: 'system_prompt_file',
    sessionId: 'preassigned',
    usage: {
      inputTokens: { event: claudeResult, covers: 'run', path: ['usage', 'input_tokens'] },
      outputTokens: { event: claudeResult, covers: 'run', path: ['usage', 'output_tokens'] },
      // a conversation that goes on does so from the total that it was left with
      usd: { event: claudeResult, covers: 'conversation', path: ['total_cost_usd'] },
    },
    errors: [
      { event: { type: 'system', subtype: 'api_retry' }, path: ['error'] },
      { event: claudeFailed, path: ['errors', '0'] },
      { event: claudeFailed, path: ['result'] },
    ],
    limits: claudeLimits,
    signIn: {
      // a version that knows no such command would take the words for a message, and refuses the option
      args: ['auth', 'status', '--json'],
      nobody: ['"loggedIn": false', '"loggedIn":false'],
      unless: [
        'ANTHROPIC_API_KEY',
        'ANTHROPIC_AUTH_TOKEN',
        'CLAUDE_CODE_OAUTH_TOKEN',
        'CLAUDE_CODE_USE_BEDROCK',
        'CLAUDE_CODE_USE_FOUNDRY',
        'CLAUDE_CODE_USE_VERTEX',
      ],
    },
  },
  {
    key: 'codex',
    protocol: 'argv',
    binary: 'codex',
    versionArgs: ['--version'],
    ...bothWays(bySubcommand, (conversation) => [
      ['exec'],
      ['--json'],
      ['-C', '{cwd}'],
      ['--skip-git-repo-check'],
      ['-m', '{model}'],
      ['-c', 'model_reasoning_effort="{effort}"'],
      ['-c', 'developer_instructions={briefing}'],
      // a login shell sets a PATH of its own, on which svc is not
      ['-c', 'allow_login_shell=false'],
      ['{rights}'],
      ['{flags}'],
      ...conversation,
      ['--', '{message}'],
    ]),
    rights: {
      read: [
        // svc keeps the key of its session in the run's temporary folder, and reaches the service
        [
          '-c',
          'permissions.svc-read={extends=":read-only",filesystem={":tmpdir"="write"},network={enabled=true}}',
        ],
        ['-c', 'default_permissions="svc-read"'],
      ],
      edit: codexSandbox,
      work: codexSandbox,
      all: [['-s', 'danger-full-access']],
    },
    // it knows no single commands: its sandbox says what any of them can reach
    rightsInWords: {
      read: "look at files, and run any command in Codex's sandbox, which reaches the network and writes nothing but temporary files",
      edit: codexInWords,
      work: codexInWords,
    },
    briefing: 'config_key',
    sessionId: 'read',
    sessionIdAt: { event: { type: 'thread.started' }, path: ['thread_id'] },
    usage: {
      inputTokens: { ...codexTurn, path: ['usage', 'input_tokens'] },
      outputTokens: { ...codexTurn, path: ['usage', 'output_tokens'] },
    },
    errors: [
      { event: { type: 'error' }, path: ['message'] },
      { event: { type: 'turn.failed' }, path: ['error', 'message'] },
    ],
    limits: codexLimits,
    signIn: { args: ['login', 'status'], nobody: ['Not logged in'], unless: ['CODEX_API_KEY'] },
  },
  byProtocol({
    key: 'gemini',
    words: [['--acp'], ['--skip-trust'], ['--model', '{model}']],
    limits: geminiLimits,
  }),
  byProtocol({
    key: 'opencode',
    // what its provider refuses stands in its log alone
    words: [['acp'], ['--print-logs'], ['--log-level', 'ERROR']],
    tokensOf: 'answer',
    limits: opencodeLimits,
  }),
  byProtocol({
    key: 'copilot',
    words: [['--acp'], ['--model', '{model}']],
    limits: copilotLimits,
  }),
  byProtocol({
    key: 'qwen',
    // else a model of its own decides what it may do
    words: [['--acp'], ['--approval-mode', 'default'], ['--model', '{model}']],
    limits: qwenLimits,
  }),
] as const satisfies readonly Adapter[]

/** Programs that a person puts on the PATH of a runner, which finds them there. */
export const agentPrograms = builtInAdapters.flatMap(({ key, binary }) =>
  key === 'scripted' ? [] : [binary],
)

export function listPrograms(type: Intl.ListFormatType): string {
  return new Intl.ListFormat('en', { type }).format(agentPrograms)
}
