import { readEnvironment } from '@svc/process/env'
import { expect, test } from 'vitest'
import { ApiEnvironment } from './env.ts'

const required = {
  DATABASE_URL: 'postgres://localhost/svc',
  SVC_SECRET_KEYS: `k1:${'A'.repeat(43)}=`,
}

test('an API process needs a database and keys, and has a default for all else', () => {
  expect(readEnvironment(ApiEnvironment, required)).toEqual({
    ...required,
    SVC_HOST: '127.0.0.1',
    SVC_PORT: 4600,
    SVC_SERVED_HOSTS: [],
    SVC_POOL_SIZE: 10,
    SVC_NOTIFY: true,
    SVC_PREPARED_STATEMENTS: true,
    SVC_DRAIN_SECONDS: 5,
    SVC_LEASE_SECONDS: 60,
    SVC_HEARTBEAT_SECONDS: 15,
    SVC_ATTACH_SECONDS: 600,
    SVC_CANCEL_SECONDS: 60,
    SVC_SWEEP_SECONDS: 5,
    SVC_STALE_SECONDS: 300,
    SVC_LOST_SECONDS: 900,
    SVC_TRUSTED_PROXIES: [],
    SVC_LIMIT_READS: 600,
    SVC_LIMIT_WRITES: 120,
    SVC_LIMIT_AGENT_CALLS: 120,
    SVC_LIMIT_CLAIMS: 60,
    SVC_LIMIT_KEYED_CALLS: 6_000,
    SVC_LIMIT_WORKSPACE_CALLS: 6_000,
    SVC_LIMIT_FAILED_AUTHENTICATIONS: 20,
    SVC_MCP_ENABLED: false,
    SVC_OAUTH_CIMD: true,
    SVC_WEBHOOK_ALLOWED_HOSTS: [],
    SVC_OPENID_ALLOWED_HOSTS: [],
    SVC_PASSWORD_LOGIN: true,
    SVC_NEW_WORKSPACES: true,
    SVC_RUN_LOG_MIB: 16,
    SVC_LOG_QUOTA_GIB: 10,
    SVC_AUDIT_DAYS: 400,
  })
})

test.each(Object.keys(required))('an API process is refused without %s', (name) => {
  expect(() => readEnvironment(ApiEnvironment, { ...required, [name]: '' })).toThrow(
    `${name} is required`,
  )
})
