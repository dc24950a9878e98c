import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { soughtAgents } from '@svc/contracts/known-agent'
import { agentsThatTellCost } from '@svc/contracts/usage'
import { expect, test } from 'vitest'
import { openHome } from '../files/home.ts'
import { temporaryFolder } from '@svc/testing/temporary'
import type { Adapter } from './adapter.ts'
import {
  adapterRows,
  discoverAgents,
  isSignedOut,
  missingAgents,
  reportAgents,
} from './discover.ts'
import { readOutputEvents } from './output-events.ts'
import { agentPrograms, builtInAdapters, listPrograms } from './rows.ts'

test('an agent is found on the PATH with its version', async () => {
  using folder = temporaryFolder()
  const home = openHome(join(folder.path, 'home'))
  const program = join(folder.path, 'claude')
  writeFileSync(program, '#!/bin/sh\necho "2.1.0 (Claude Code)"; echo more\n', { mode: 0o755 })
  mkdirSync(join(folder.path, 'codex'))
  const agents = await discoverAgents({ home, env: { PATH: `/nonexistent:${folder.path}` } })
  expect(reportAgents(agents)).toEqual([
    { key: 'claude', version: '2.1.0 (Claude Code)', path: program },
  ])
})

test('the scripted agent is a module that this Node runs', async () => {
  using folder = temporaryFolder()
  const home = openHome(folder.path)
  const [agent] = await discoverAgents({ home, env: { PATH: '' }, scriptedAgent: '/agent/main.ts' })
  expect(agent?.command).toEqual([process.execPath, '/agent/main.ts'])
})

test("a row of one's own replaces the built-in one of its key", () => {
  using folder = temporaryFolder()
  const home = openHome(folder.path)
  const row = {
    key: 'claude',
    binary: '/opt/claude',
    argv: [['{message}']],
    briefing: 'first_message',
    sessionId: 'none',
  }
  writeFileSync(home.agentsFile, JSON.stringify([row]))
  const rows = adapterRows(home).filter(({ key }) => key === 'claude')
  expect(rows).toMatchObject([{ binary: '/opt/claude' }])
  expect(adapterRows(home).map(({ key }) => key)).toContain('codex')
})

const good = { key: 'own', binary: 'own', argv: [], briefing: 'first_message', sessionId: 'none' }

const held = { read: [['--look']], edit: [], work: [], all: [] }

test.each([
  ['{', 'it is not JSON'],
  ['{}', 'expected array'],
  [JSON.stringify([good, { ...good, key: 'my', briefing: 'mail' }]), 'my.briefing: Invalid option'],
  [JSON.stringify([{ ...good, argv: ['-p'] }]), 'own.argv.0: Invalid input: expected array'],
  [JSON.stringify([{ ...good, flags: [] }]), 'own: Unrecognized key: "flags"'],
  [JSON.stringify([{ ...good, sessionId: 'read' }]), 'own.sessionIdAt: say where'],
  [JSON.stringify([{ ...good, rights: { read: [] } }]), 'own.rights.edit: Invalid input'],
  [JSON.stringify([{ ...good, rights: held }]), 'own.rights: put ["{rights}"] into argv'],
  [JSON.stringify([{ binary: 'own' }]), 'row 1.key: Invalid input'],
  [JSON.stringify([good, good]), 'own stands there twice'],
])('a mistake in agents.json is named with file and key: %s', (text, mistake) => {
  using folder = temporaryFolder()
  const home = openHome(folder.path)
  writeFileSync(home.agentsFile, text)
  expect(() => adapterRows(home)).toThrow(`${home.agentsFile} cannot be used: `)
  expect(() => adapterRows(home)).toThrow(mistake)
})

test('the rows that are shown in docs/agents.md can be used', () => {
  using folder = temporaryFolder()
  const home = openHome(folder.path)
  const page = readFileSync(new URL('../../../../docs/agents.md', import.meta.url), 'utf8')
  writeFileSync(home.agentsFile, /```json\n(.+?)```/s.exec(page)?.[1] ?? '')
  expect(adapterRows(home).map(({ key }) => key)).toContain('helper')
})

test('a machine without an agent says how to add one', async () => {
  using folder = temporaryFolder()
  const home = openHome(folder.path)
  const found = await discoverAgents({ home, env: { PATH: '' } })
  expect(missingAgents(found, { home })).toBe(
    `No agent was found on this machine, so this runner takes no launches. Put ${listPrograms('disjunction')} on the PATH of the runner, or describe an agent in ${home.agentsFile} (see docs/agents.md), then start the runner again.`,
  )
})

test('an agent that was asked for and is missing is named, and only then', async () => {
  using folder = temporaryFolder()
  const home = openHome(folder.path)
  const input = { home, env: { PATH: '' }, scriptedAgent: '/agent/main.ts' }
  const found = await discoverAgents(input)
  expect(missingAgents(found, { home, only: ['scripted', 'cluade'] })).toContain(
    'Not found on this machine: cluade.',
  )
  expect(missingAgents(found, { home, only: ['scripted'] })).toBeUndefined()
  expect(missingAgents(found, { home })).toBeUndefined()
})

test("an agent's money is read as the decimal that it prints", () => {
  const [, claude] = builtInAdapters
  const events = readOutputEvents(claude, () => undefined)
  const result = { type: 'result', total_cost_usd: 0.1 + 0.2, usage: { input_tokens: -1 } }
  events.push(Buffer.from(`${JSON.stringify(result)}\n`))
  expect(events.usage()).toEqual({ conversation: { usd: '0.3' } })
})

test.each([
  [1, { type: 'result', is_error: true, result: 'Invalid API key · Please run /login' }],
  [
    1,
    {
      type: 'result',
      subtype: 'error',
      is_error: true,
      errors: ['Invalid API key · Please run /login'],
    },
  ],
  [2, { type: 'error', message: 'Invalid API key · Please run /login' }],
  [2, { type: 'turn.failed', error: { message: 'Invalid API key · Please run /login' } }],
] as const)('what an agent says went wrong is heard, the last one stays: %i %j', (row, event) => {
  const heard: string[] = []
  const adapter: Adapter = builtInAdapters[row]
  const events = readOutputEvents(
    adapter,
    () => undefined,
    (said) => heard.push(said),
  )
  const good = { type: 'result', is_error: false, result: 'done' }
  for (const line of [good, event]) events.push(Buffer.from(`${JSON.stringify(line)}\n`))
  expect(heard).toEqual(['Invalid API key · Please run /login'])
  expect(events.error()).toBe(heard[0])
})

test("an agent's own session id and its usage are read from its events", () => {
  const [, , codex] = builtInAdapters
  const heard: string[] = []
  const events = readOutputEvents(codex, (id) => heard.push(id))
  const lines = [
    'not json',
    '{"type":"thread.started","thread_id":"t-1"}',
    '{"type":"thread.started","thread_id":"t-2"}',
    '{"type":"turn.completed","usage":{"input_tokens":5,"output_tokens":2}}',
  ].join('\n')
  for (const byte of Buffer.from(`${lines}\n`)) events.push(Buffer.from([byte]))
  expect(heard).toEqual(['t-1'])
  expect(events.usage()).toEqual({ conversation: { inputTokens: 5, outputTokens: 2 } })
})

test('nobody is said to be signed in where the agent says so alone, and nothing stands in for it', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'asked')
  const prints = (words: string) => {
    writeFileSync(path, `#!/bin/sh\necho '${words}' >&2\nexit 1\n`)
    chmodSync(path, 0o755)
  }
  const codex = builtInAdapters.find(({ key }) => key === 'codex')
  if (codex === undefined) throw new Error('Codex is known by itself')
  const env = { PATH: process.env['PATH'] }
  prints('Not logged in')
  expect(await isSignedOut(codex, path, env)).toBe(true)
  expect(await isSignedOut(codex, path, { ...env, CODEX_API_KEY: 'x' })).toBe(false)
  expect(await isSignedOut({ ...codex, signIn: undefined }, path, env)).toBe(false)
  prints('no such command')
  expect(await isSignedOut(codex, path, env)).toBe(false)
  expect(await isSignedOut(codex, `${path}-gone`, env)).toBe(false)
})

test('the agents that print what they cost are those that the service knows as such', () => {
  const telling = builtInAdapters.filter(({ usage }) => 'usd' in usage).map(({ key }) => key)
  expect(telling).toEqual([...agentsThatTellCost])
})

test('the agents that the service says are looked for are those that a runner looks for', () => {
  expect(agentPrograms).toEqual([...soughtAgents])
})
