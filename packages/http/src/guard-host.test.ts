import { createLog } from '@svc/process/log'
import { describe, expect, test } from 'vitest'
import { createApp } from './create-app.ts'
import { guardHost } from './guard-host.ts'

const log = createLog({ name: 'test', level: 'silent' })

/** The status of a request that names this host, from another computer or from this one. */
async function ask(baseUrl: string, host: string | undefined, localAddress = '192.0.2.1') {
  const app = createApp(log)
  guardHost(app, { baseUrl: () => baseUrl, served: ['api:4600'] })
  app.get('/', () => new Response('here'))
  const headers = host === undefined ? {} : { host }
  const incoming = { socket: { localAddress } }
  const answer = await app.request('http://nobody.example/', { headers }, { incoming })
  return answer.status
}

describe('a service on the internet', () => {
  const at = (host: string | undefined, localAddress?: string) =>
    ask('https://svc.example.com', host, localAddress)

  test.each(['svc.example.com', 'SVC.example.com', 'svc.example.com:443', 'api:4600'])(
    'is called %s',
    async (host) => {
      expect(await at(host)).toBe(200)
    },
  )

  test.each([
    'localhost',
    '127.0.0.1',
    'svc.example.com:80',
    'svc.example.com.evil.example',
    'api',
    '',
    undefined,
  ])('is not called %s', async (host) => {
    expect(await at(host)).toBe(403)
  })

  test('is called by the names of this computer by whoever calls from there', async () => {
    const hosts = ['localhost', '127.0.0.1:9000', '[::1]:4600', 'LocalHost:1']
    for (const local of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      expect(await Promise.all(hosts.map((host) => at(host, local)))).toEqual([200, 200, 200, 200])
      expect(await at('localhost.evil.example', local)).toBe(403)
    }
  })
})

test('a service on this computer is called by each name of it, with its port', async () => {
  const at = (host: string) => ask('http://127.0.0.1:4600', host)
  const own = ['localhost:4600', '127.0.0.1:4600', '[::1]:4600']
  expect(await Promise.all(own.map(at))).toEqual([200, 200, 200])
  const foreign = ['localhost', '127.0.0.1:4601', 'evil.example:4600']
  expect(await Promise.all(foreign.map(at))).toEqual([403, 403, 403])
})
