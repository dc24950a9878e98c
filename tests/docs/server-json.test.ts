import { readFileSync } from 'node:fs'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInTest } from '@svc/cli/testing/cli'
import { version } from '@svc/contracts/version'
import { expect, test } from 'vitest'
import { z } from 'zod'

/** The fields that we use, with their bounds, of the format that the MCP registry published as 2025-12-11. */
const ServerJson = z.strictObject({
  $schema: z.literal(
    'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  ),
  name: z
    .string()
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    .max(200),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+$/)
    .max(255),
  remotes: z.tuple([
    z.strictObject({
      type: z.literal('streamable-http'),
      url: z.string().regex(/^https?:\/\/\S+$/),
      variables: z.record(
        z.string(),
        z.strictObject({ description: z.string(), isRequired: z.boolean() }),
      ),
    }),
  ]),
})

const server = ServerJson.parse(
  JSON.parse(readFileSync(new URL('../../server.json', import.meta.url), 'utf8')),
)
const [remote] = server.remotes

test('server.json is of the version that is released', () => {
  expect(server.version).toBe(version)
})

test('server.json leads to the address that svc gives a client', async () => {
  await using home = await mkdtempDisposable(join(tmpdir(), 'svc-server-json-'))
  const to = ['--hosted', '--url', 'https://svc.example.com:8443']
  await runInTest({ HOME: home.path }, 'agents', 'setup', 'cursor', ...to)
  const written = await readFile(join(home.path, '.cursor/mcp.json'), 'utf8')
  const address = remote.url.replace('{host}', 'svc.example.com:8443')
  expect(JSON.parse(written)).toEqual({ mcpServers: { svc: { url: address } } })
})

test('server.json explains what its address leaves open', () => {
  const open = remote.url.match(/(?<=\{)\w+(?=\})/g)
  expect(Object.keys(remote.variables)).toEqual(open)
})
