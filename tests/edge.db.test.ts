import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { restContracts } from '@svc/contracts/rest'
import { environmentVariables } from '@svc/contracts/environment'
import { createGateway } from '@svc/mcp-gateway/app'
import { createLog } from '@svc/process/log'
import { LimitsEnvironment, limiterOf } from '@svc/service/limits'
import { isOfGateway } from '@svc/standalone/parts/edge'
import { test } from '@svc/domain/testing/world'
import { describe, expect } from 'vitest'
import { apiRoutes } from './api-routes.ts'

const log = createLog({ name: 'test', level: 'silent' })
const limiter = limiterOf(LimitsEnvironment.parse({}))
const text = readFileSync(join(import.meta.dirname, '../infra/Caddyfile'), 'utf8')

/** The app that the edge sends a path to: the first `handle` whose matcher takes it, by the port of its address. */
function appOf(path: string): string | undefined {
  const matchers = new Map(
    [...text.matchAll(/^\s*(@\w+) path (.+)$/gm)].map(([, name, paths = '']) => [
      name,
      paths.split(' '),
    ]),
  )
  const routes = [
    ...text.matchAll(
      /^\s*handle (?:(@\w+) )?\{\s*reverse_proxy \{\$\w+:[\d.]+:(\d+)\} \{\s*import app\s/gm,
    ),
  ]
  const route = routes.find(
    ([, matcher]) => !matcher || matchers.get(matcher)?.some((one) => takes(one, path)),
  )
  const ports = Object.entries(environmentVariables.SVC_PORT.default)
  return ports.find(([, port]) => port === route?.[2])?.[0]
}

const takes = (pattern: string, path: string) =>
  pattern.endsWith('/*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern

const health = ['/livez', '/readyz']

const edges = [
  { name: 'Caddy', sendsTo: appOf },
  { name: 'Node', sendsTo: (path: string) => (isOfGateway(path) ? 'mcp-gateway' : 'api') },
]

describe('the edge', () => {
  test('gives no call to an app that says that it is not ready', () => {
    const [, shared] = /^\(app\) \{([^}]*)\}/m.exec(text) ?? []
    expect(shared).toMatch(/^\s*health_uri \/readyz$/m)
    expect([...text.matchAll(/reverse_proxy/g)]).toHaveLength(2)
    expect(['/mcp', '/api/me'].map(appOf)).toEqual(['mcp-gateway', 'api'])
  })

  test('gives up what is idle before an app closes it, and what drains has no call left by then', () => {
    const [, seconds] = /^\s*keepalive (\d+)s$/m.exec(text) ?? []
    const { keepAliveTimeout } = createServer()
    expect(Number(seconds) * 1_000).toBeLessThan(keepAliveTimeout)
    const drained = environmentVariables.SVC_DRAIN_SECONDS.default
    expect(Number(seconds)).toBeLessThan(Number(drained.api))
    expect(Number(seconds)).toBeLessThan(Number(drained['mcp-gateway']))
  })

  test.for(edges)(
    'of $name sends every path that the API serves to the API',
    ({ sendsTo }, { world: { domain } }) => {
      const served = apiRoutes(domain).map(({ path }) => path)
      const paths = [...served, ...Object.values(restContracts).map(({ path }) => path)]
      expect(paths).toEqual(expect.arrayContaining(['/api/feed', '/oauth/token']))
      expect(paths.filter((path) => sendsTo(path) !== 'api')).toEqual([])
    },
  )

  test.for(edges)(
    'of $name sends every path that the gateway serves to the gateway',
    ({ sendsTo }, { world: { domain } }) => {
      const parts = { domain, log, limiter, baseUrl: () => 'http://localhost', isEnabled: true }
      const paths = createGateway(parts)
        .routes.map(({ path }) => path)
        .filter((path) => path !== '/*' && !health.includes(path))
      expect(paths).toContain('/mcp')
      expect(paths.filter((path) => sendsTo(path) !== 'mcp-gateway')).toEqual([])
    },
  )
})
