import { describe, expect, test } from 'vitest'
import { describeDefault, environmentVariables, type EnvironmentVariable } from './environment.ts'
import { serverOnlyVariables } from './launch-environment.ts'

const provider = {
  name: 'acme',
  issuer: 'https://id.example',
  client: 'svc',
  secret: 'a secret of the client',
  workspace: 'acme',
  role: 'member',
}

const read = (name: keyof typeof environmentVariables, given: string) =>
  environmentVariables[name].schema.safeParse(given)

describe('the environment table', () => {
  test('hands nothing down to a runner and its agents but what is theirs', () => {
    const names = Object.keys(environmentVariables)
    expect(names.filter((name) => !serverOnlyVariables.includes(name))).toEqual([
      'SVC_PORT',
      'SVC_LOG_LEVEL',
      'SVC_RUNNER_HOME',
      'SVC_SCRIPTED_AGENT',
      'SVC_SCRIPTED',
      'SVC_RUNNER_LADDER_SECONDS',
      'SVC_RUNNER_MAX_RIGHTS',
      'SVC_BACKEND_URL',
      'SVC_USER_TOKEN',
      'SVC_TEST_DATABASE_URL',
      'SVC_TEST_BROWSER',
    ])
  })

  test('names the files of secrets that never leave the server, too', () => {
    const files = serverOnlyVariables.filter((name) => name.endsWith('_FILE'))
    expect(files).toEqual(expect.arrayContaining(['DATABASE_URL_FILE', 'SVC_SECRET_KEYS_FILE']))
  })

  test.each(Object.entries<EnvironmentVariable>(environmentVariables))(
    'describes %s',
    (_name, variable) => {
      expect(variable.description).not.toBe('')
      expect(describeDefault(variable)).not.toBe('')
    },
  )

  test.each(Object.entries<EnvironmentVariable>(environmentVariables))(
    'has a default for %s that it would take, or says in words what stands for it',
    (_name, { default: given, unset, schema }) => {
      const values = typeof given === 'object' ? Object.values(given) : [given ?? []].flat()
      expect(values.filter((value) => !schema.safeParse(value).success)).toEqual([])
      expect(given === undefined).toBe(unset !== undefined)
    },
  )

  test('gives each process of the service a port of its own', () => {
    const { api, 'mcp-gateway': gateway, dispatcher } = environmentVariables.SVC_PORT.default
    expect(new Set([api, gateway, dispatcher]).size).toBe(3)
  })

  test('shows no default of a secret', () => {
    const secrets = Object.values<EnvironmentVariable>(environmentVariables).filter(
      (one) => one.secret,
    )
    expect(secrets.filter((one) => one.default !== undefined)).toEqual([])
  })

  test.each([
    ['SVC_PORT', '70000'],
    ['SVC_PORT', '46OO'],
    ['SVC_LEASE_SECONDS', 'soon'],
    ['SVC_NOTIFY', 'true'],
    ['SVC_BASE_URL', 'http://svc.example.com'],
    ['SVC_SECRET_KEYS', 'one:c2hvcnQ='],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['SVC_LOG_LEVEL', 'loud'],
    ['SVC_RUNNER_MAX_RIGHTS', 'none'],
    ['SVC_LIMIT_READS', 'none'],
    ['SVC_LIMIT_WRITES', '-1'],
    ['SVC_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['SVC_TRUSTED_PROXIES', 'edge.example.com'],
    ['SVC_PASSWORD_LOGIN', 'false'],
    ['SVC_OPENID_PROVIDERS', 'acme=https://id.example'],
    ['SVC_OPENID_PROVIDERS', '{"name":"acme"}'],
    ['SVC_OPENID_PROVIDERS', JSON.stringify([{ ...provider, name: 'Two Words' }])],
    ['SVC_OPENID_PROVIDERS', JSON.stringify([{ ...provider, role: 'owner' }])],
    ['SVC_OPENID_PROVIDERS', JSON.stringify([{ ...provider, domains: ['*'] }])],
    ['SVC_OPENID_PROVIDERS', JSON.stringify([{ ...provider, mail: 'x' }])],
    ['SVC_OPENID_PROVIDERS', JSON.stringify([provider, provider])],
  ] as const)('refuses %s=%s and does not repeat the value', (name, given) => {
    const result = read(name, given)
    expect(result.success).toBe(false)
    expect(result.error?.issues.map((issue) => issue.message).join()).not.toContain(given)
  })

  test('turns text into what it means', () => {
    expect(read('SVC_PORT', '4600').data).toBe(4600)
    expect(read('SVC_SWEEP_SECONDS', '0.2').data).toBe(0.2)
    expect(read('SVC_NOTIFY', 'off').data).toBe(false)
    expect(read('SVC_LIMIT_READS', '7').data).toBe(7)
    expect(read('SVC_LIMIT_READS', '0').data).toBe(0)
    expect(read('SVC_LIMIT_READS', 'off').data).toBe(0)
    expect(read('SVC_TRUSTED_PROXIES', '127.0.0.1, fd00::/8').data).toEqual([
      '127.0.0.1',
      'fd00::/8',
    ])
    expect(read('SVC_OPENID_PROVIDERS', JSON.stringify([provider])).data).toEqual([
      { ...provider, domains: [] },
    ])
    expect(read('SVC_MCP_ENABLED', 'yes').data).toBe(false)
    expect(read('SVC_WEBHOOK_ALLOWED_HOSTS', 'acme@10.0.0.5=10.0.0.0/8, *@[::1]:80').data).toEqual([
      'acme@10.0.0.5=10.0.0.0/8',
      '*@[::1]:80',
    ])
    const unbound = read('SVC_WEBHOOK_ALLOWED_HOSTS', 'acme@relay, 10.0.0.5:8080')
    expect(unbound.error?.issues[0]?.message).toContain('for the workspace acme')
    expect(read('SVC_NEW_WORKSPACES', 'off').data).toBe(false)
    expect(read('SVC_BASE_URL', 'http://localhost:4600/').data).toBe('http://localhost:4600')
    expect(read('SVC_SECRET_KEYS', `k1:${'A'.repeat(43)}=`).success).toBe(true)
  })
})
