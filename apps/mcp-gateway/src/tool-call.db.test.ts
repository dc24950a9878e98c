import type { ToolResult } from '@svc/contracts/mcp/tool-result'
import { describe, expect } from 'vitest'
import { type Gateway, test } from './testing/gateway.ts'

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}
const name = 'svc_resolve_project'

type Answer = { id: unknown; result?: ToolResult; error?: { code: number; message: string } }

/** A call of a tool whose parameters are what is given, as a client of either era sends it. */
async function call(
  gateway: Gateway,
  token: string,
  { isNew, params }: { isNew: boolean; params: object },
): Promise<Answer> {
  const whole = isNew ? { ...params, _meta: meta } : params
  const message = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: whole }
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
  }
  const answer = await gateway.post(token, message, isNew ? headers : {})
  // JSON-RPC, whatever is answered
  return (await answer.json()) as Answer
}

describe.for([
  ['an old client', false],
  ['a new client', true],
] as const)('to %s', ([, isNew]) => {
  test.for([
    ['a NUL', { query: 'a\u0000b' }, 'query: use text without NUL'],
    ['half of a surrogate pair', { query: '\ud800' }, 'query: use text without NUL'],
    ['a name that is not allowed', { constructor: 1 }, 'constructor: this name is not allowed'],
    ['too long a list', { query: Array(1001).fill(0) }, 'query: give at most 1000 entries'],
    ['a text', 'web', 'arguments: give an object'],
    ['a list', ['web'], 'arguments: give an object'],
    ['nothing', null, 'arguments: give an object'],
  ] as const)(
    'arguments with %s are refused by the tool, in words that a model reads',
    async ([, given, message], { world, gateway }) => {
      const params = { name, arguments: given }
      const { id, result } = await call(gateway, world.alice.token, { isNew, params })
      expect(id).toBe(7)
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining(message) }],
        _meta: { 'svc/error': { code: 'validation_failed' } },
      })
    },
  )
})

test('a call that names no tool is refused in a sentence', async ({ world, gateway }) => {
  const params = { arguments: {} }
  const { error } = await call(gateway, world.alice.token, { isNew: false, params })
  expect(error?.code).toBe(-32602)
  expect(error?.message).toContain('params.name: ')
  expect(error?.message).not.toMatch(/[[\]{}\n]/)
})
