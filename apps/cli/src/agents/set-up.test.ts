import * as fs from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { hosted, setUp, start, test, url, write } from '../testing/agents.ts'

const [command, ...args] = start

describe('a table of Codex', () => {
  const setUpCodex = async (home: string, text: string, ...options: string[]) => {
    const path = write(join(home, '.codex/config.toml'), text)
    const { code, stderr } = await setUp(home, 'codex', ...options)
    return { code, stderr, text: fs.readFileSync(path, 'utf8') }
  }

  test('keeps the comments next to its lines, and the tables below it', async ({ home }) => {
    const before = [
      '[mcp_servers.svc] # ours',
      'url = "https://old.example.com/mcp" # was "#1"',
      'enabled = false',
      'http_headers = {',
      '  "X" = "y",',
      '}',
      '',
      '[mcp_servers.svc.tools.svc_search_missions]',
      'approval_mode = "auto"',
      '',
      '# about the rest',
      '[tui]',
      '',
    ]
    const moved = await setUpCodex(home, before.join('\n'), ...hosted)
    const renewed = [before[0], `url = "${url}" # was "#1"`, ...before.slice(2)]
    expect(moved.text).toBe(renewed.join('\n'))
    const local = await setUpCodex(home, before.join('\n'), '--local')
    const lines = [
      `command = ${JSON.stringify(command)}`,
      `args = ${JSON.stringify(args, null, 1).replaceAll(/\n\s*/g, '').replaceAll(',', ', ')}`,
    ]
    expect(local.text).toBe([before[0], before[2], ...lines, ...before.slice(6)].join('\n'))
    const removed = await setUpCodex(home, before.join('\n'), '--remove')
    expect(removed.text).toBe(['', ...before.slice(10)].join('\n'))
  })

  test.each([
    ['in one line', 'mcp_servers = { svc = { url = "https://old.example.com/mcp" } }\n'],
    ['with dots', 'mcp_servers.svc.url = "https://old.example.com/mcp"\n'],
    ['in another table', '[mcp_servers]\nsvc = { url = "https://old.example.com/mcp" }\n'],
    ['together with others in one line', 'mcp_servers = { other = { url = "https://x" } }\n'],
  ])('is left to a person where it is written %s', async (_, before) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'svc-agents-'))
    const { code, stderr, text } = await setUpCodex(folder.path, before, '--local')
    expect(code).toBe(5)
    expect(stderr).toContain('give each server a table of its own, such as [mcp_servers.name], and')
    expect(text).toBe(before)
  })
})

test('a name that stands there twice is left to a person', async ({ home }) => {
  const twice = `{ "mcpServers": { "svc": { "url": "${url}" }, "svc": { "url": "${url}" } } }`
  const path = write(join(home, '.cursor/mcp.json'), twice)
  const { code, stderr } = await setUp(home, 'cursor', '--local')
  expect(code).toBe(5)
  expect(stderr).toContain('cannot be edited as it is written: name each key once, and try again.')
  expect(fs.readFileSync(path, 'utf8')).toBe(twice)
})
