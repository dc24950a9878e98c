import { readEnvironment } from '@svc/process/env'
import { verifies } from '@svc/testing/verifies'
import { describe, expect, test } from 'vitest'
import { GatewayEnvironment, mcpWarning } from './env.ts'

const required = {
  DATABASE_URL: 'postgres://localhost/svc',
  SVC_BASE_URL: 'https://svc.example.com/',
  SVC_SECRET_KEYS: `k1:${'A'.repeat(43)}=`,
}

describe('SVC_MCP_ENABLED', () => {
  const isEnabled = (given?: string) =>
    readEnvironment(GatewayEnvironment, { ...required, SVC_MCP_ENABLED: given }).SVC_MCP_ENABLED

  test('turns the endpoint on when it is true', () => {
    expect(isEnabled('true')).toBe(true)
    expect(mcpWarning({ SVC_MCP_ENABLED: 'true' })).toBeUndefined()
  })

  test.each([undefined, '', 'false'])(
    verifies('mcp.disabled-unmounted', '%s is off without a word'),
    (given) => {
      expect(isEnabled(given)).toBe(false)
      expect(mcpWarning({ SVC_MCP_ENABLED: given })).toBeUndefined()
    },
  )

  test.each(['TRUE', 'True', '1', 'yes', 'on', ' true'])(
    verifies('mcp.disabled-unmounted', '%j is off, with a warning'),
    (given) => {
      expect(isEnabled(given)).toBe(false)
      expect(mcpWarning({ SVC_MCP_ENABLED: given })).toContain('Set it to true')
    },
  )
})

test('http is refused beyond this computer', () => {
  const read = (SVC_BASE_URL: string) =>
    readEnvironment(GatewayEnvironment, { ...required, SVC_BASE_URL })
  expect(() => read('http://svc.example.com')).toThrow('SVC_BASE_URL')
  expect(read('https://svc.example.com/').SVC_BASE_URL).toBe('https://svc.example.com')
})
