import { expect, test } from 'vitest'
import { kinds, readTopology } from './topology.ts'

const given = { POSTGRES_PASSWORD: 'x', SVC_SECRET_KEYS: 'k1:x' }

test('docker-compose.yml says which parts there are, and which of them the edge sends calls to', () => {
  const { parts, behindEdge, admin, host, port, baseUrl } = readTopology(given)
  for (const kind of kinds) {
    const names = parts.filter((part) => part.kind === kind).map(({ name }) => name)
    expect(names).toEqual([`${kind}-1`, `${kind}-2`])
    const expected = kind === 'dispatcher' ? [] : names
    expect(behindEdge.filter((name) => name.startsWith(kind))).toEqual(expected)
  }
  expect(behindEdge).toHaveLength(4)
  expect(admin).toHaveProperty('SVC_SECRET_KEYS', 'k1:x')
  expect({ host, port, baseUrl }).toEqual({
    host: '127.0.0.1',
    port: 8080,
    baseUrl: 'http://localhost:8080',
  })
})

test('variables of the person go where the file has them', () => {
  const variables = { ...given, EDGE_PORT: '9000', SVC_WEBHOOK_ALLOWED_HOSTS: '*@127.0.0.1' }
  const { port, parts } = readTopology(variables)
  expect(port).toBe(9_000)
  const allowed = parts.filter(({ environment }) => environment['SVC_WEBHOOK_ALLOWED_HOSTS'])
  expect(allowed.map(({ name }) => name)).toEqual([
    'api-1',
    'api-2',
    'dispatcher-1',
    'dispatcher-2',
  ])
})

test.each(['0', '70000', 'many'])('an EDGE_PORT of %s is refused', (EDGE_PORT) => {
  expect(() => readTopology({ ...given, EDGE_PORT })).toThrow('EDGE_PORT')
})
