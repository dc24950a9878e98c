import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openHome } from '../files/home.ts'
import { temporaryFolder } from '../testing/temporary.ts'
import { adapterRows, discoverAgents, reportAgents } from './discover.ts'
import { readOutputEvents } from './output-events.ts'
import { builtInAdapters } from './rows.ts'

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
  expect(events.usage()).toEqual({ inputTokens: 5, outputTokens: 2 })
})
