import * as fs from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { getNodeValue, parseTree } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import { test as base } from 'vitest'
import { connectorOptions } from '../agents/connection.ts'
import { runInTest } from './cli.ts'

/** What is written for `hosted`, and where `--local` leads to in these tests. */
export const url = 'https://svc.example.com/mcp'
export const start = [
  process.execPath,
  ...connectorOptions,
  '/nonexistent/apps/cli/src/main.ts',
  'mcp',
] as const

/** A home of one's own for each test. */
// oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
export const test = base.extend('home', async ({}, { onCleanup }) => {
  const folder = await mkdtempDisposable(join(tmpdir(), 'svc-agents-'))
  onCleanup(() => folder.remove())
  return folder.path
})

/** The settings in a file, as their agent understands them. */
export function read(path: string): unknown {
  const text = fs.readFileSync(path, 'utf8').replace(/^\u{FEFF}/u, '')
  if (path.endsWith('.toml')) return parseToml(text)
  const tree = parseTree(text)
  return tree && getNodeValue(tree)
}

export function write(path: string, text: string | Buffer, mode = 0o600): string {
  fs.mkdirSync(dirname(path), { recursive: true })
  fs.writeFileSync(path, text)
  fs.chmodSync(path, mode)
  return path
}

export const setUp = (home: string, ...argv: string[]) =>
  runInTest({ HOME: home }, '--json', 'agents', 'setup', ...argv)
export const hosted = ['--hosted', '--url', 'https://svc.example.com/']
