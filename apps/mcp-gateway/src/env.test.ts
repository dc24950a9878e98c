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

describe('SVC_BASE_URL', () => {
  const read = (SVC_BASE_URL: string) =>
    readEnvironment(GatewayEnvironment, { ...required, SVC_BASE_URL }).SVC_BASE_URL

  test.each([
    'http://svc.example.com',
    'https://svc.example.com/below',
    'https://svc.example.com/?x',
    'https://svc.example.com/#x',
    'https://user:secret@svc.example.com',
    'https:///',
  ])('%s is refused', (given) => {
    expect(() => read(given)).toThrow('SVC_BASE_URL')
  })

  test.each([
    ['https://svc.example.com/', 'https://svc.example.com'],
    ['https://Svc.Example.com:443', 'https://svc.example.com'],
    ['https://svc.example.com:8443', 'https://svc.example.com:8443'],
    ['http://[::1]:80/', 'http://[::1]'],
  ])('%s is the origin that browsers and clients name: %s', (given, origin) => {
    expect(read(given)).toBe(origin)
  })
})
