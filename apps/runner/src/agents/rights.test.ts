import { readFileSync } from 'node:fs'
import { Rights } from '@svc/contracts/rights'
import { describe, expect, test } from 'vitest'
import { type ArgvInput, agentArguments } from '../plan/argv.ts'
import { inWords } from '../plan/rights.ts'
import type { Adapter } from './adapter.ts'
import { builtInAdapters } from './rows.ts'

const input: ArgvInput = {
  model: null,
  effort: null,
  flags: ['--of-the-project'],
  rights: 'work',
  allowedCommands: ['npm test', 'make lint'],
  contextFile: '/briefing.md',
  briefing: '',
  cwd: '/w',
  gitFolder: '/r/.git',
  otherFolders: [],
  otherGitFolders: [],
  sessionId: 'conversation',
  isResumed: false,
  message: 'begin',
}
/** Those that are held to them by their arguments; the others ask, and are answered. */
const rows = builtInAdapters.filter(({ protocol }: Adapter) => protocol === 'argv')
const given = rows.flatMap((adapter) => Rights.options.map((rights) => ({ adapter, rights })))

/** What stands on the command line of an agent for its rights alone. */
function words(adapter: Adapter, rights: Rights, isResumed = false): string[] {
  const argv = agentArguments(adapter, { ...input, rights, isResumed })
  const bare = { ...adapter, rights: undefined }
  const without = agentArguments(bare, { ...input, rights, isResumed })
  const at = without.findIndex((word, index) => word !== argv[index])
  return at < 0 ? [] : argv.slice(at, at + argv.length - without.length)
}

test('each right of each agent is its own words on the command line', () => {
  const lines = given.map(({ adapter, rights }) =>
    [adapter.key, rights, ...words(adapter, rights)].join(' '),
  )
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "scripted read
    scripted edit
    scripted work
    scripted all
    claude read --permission-mode dontAsk --disallowedTools Edit,Write,NotebookEdit --allowedTools Bash(svc protocol:*)
    claude edit --permission-mode acceptEdits --allowedTools Bash(svc protocol:*) --allowedTools Bash(git add:*) --allowedTools Bash(git commit:*)
    claude work --permission-mode acceptEdits --allowedTools Bash(svc:*) --allowedTools Bash(git add:*) --allowedTools Bash(git commit:*) --allowedTools Bash(npm test:*) --allowedTools Bash(make lint:*)
    claude all --dangerously-skip-permissions
    codex read -c permissions.svc-read={extends=":read-only",filesystem={":tmpdir"="write"},network={enabled=true}} -c default_permissions="svc-read"
    codex edit -s workspace-write -c sandbox_workspace_write.network_access=true -c sandbox_workspace_write.writable_roots=["/r/.git"]
    codex work -s workspace-write -c sandbox_workspace_write.network_access=true -c sandbox_workspace_write.writable_roots=["/r/.git"]
    codex all -s danger-full-access"
  `)
})

test.each(rows)('$key has the same rights in a conversation that goes on', (adapter) => {
  for (const rights of Rights.options) {
    expect(words(adapter, rights, true)).toEqual(words(adapter, rights))
  }
})

describe('docs/agents.md', () => {
  const page = readFileSync(new URL('../../../../docs/agents.md', import.meta.url), 'utf8')
  const shown = given.filter(({ adapter }) => adapter.key !== 'scripted')

  test.each(shown)('says what $rights is for $adapter.key', ({ adapter, rights }) => {
    const groups = adapter.rights?.[rights] ?? []
    const flags = groups.length === 0 ? 'none' : `\`${groups.flat().join(' ')}\``
    const row = `| \`${rights}\` | \`${adapter.key}\` | ${inWords(adapter, rights)} | ${flags} |`
    expect(page).toContain(row)
  })
})
