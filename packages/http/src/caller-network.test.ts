import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { trustProxies } from './caller-network.ts'
import type { HttpEnv } from './request-context.ts'

/** The network of a call over a connection from `peer`. */
async function networkOf(peer: string | undefined, forwarded?: string, trusted: string[] = []) {
  const network = trustProxies(trusted)
  const app = new Hono<HttpEnv>().get('/', (context) => context.text(network(context)))
  const headers = { ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) }
  const bindings = { incoming: { socket: { remoteAddress: peer } } }
  return (await app.request('/', { headers }, bindings)).text()
}

describe('the network of a call', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    [undefined, 'unknown'],
  ])('is that of the connection: %s is of %s', async (peer, network) => {
    expect(await networkOf(peer)).toBe(network)
  })

  test('is never taken from a header that nobody trusted sent', async () => {
    expect(await networkOf('203.0.113.7', '198.51.100.1')).toBe('203.0.113.7')
    expect(await networkOf('203.0.113.7', '198.51.100.1', ['10.0.0.0/8'])).toBe('203.0.113.7')
  })

  test.each([
    ['198.51.100.1', '198.51.100.1'],
    ['192.0.2.9, 198.51.100.1', '198.51.100.1'],
    ['192.0.2.9, 198.51.100.1, 10.7.7.7,  2001:db8:ff::1', '198.51.100.1'],
    ['198.51.100.1:4711', '198.51.100.1'],
    ['[2001:db8:1:2::6]:4711', '2001:db8:1:2::/64'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
    ['10.7.7.7', '10.7.7.7'],
    ['192.0.2.9, unknown', '10.0.0.3'],
    ['192.0.2.9,', '10.0.0.3'],
    ['', '10.0.0.3'],
    [undefined, '10.0.0.3'],
  ])(
    'is behind trusted proxies that of the last hop before them: %s is of %s',
    async (forwarded, network) => {
      const trusted = ['10.0.0.0/8', '2001:db8:ff::1']
      expect(await networkOf('10.0.0.3', forwarded, trusted)).toBe(network)
      expect(await networkOf('::ffff:10.0.0.3', forwarded, trusted)).toBe(network)
    },
  )
})
