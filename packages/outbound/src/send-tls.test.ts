import { readFileSync } from 'node:fs'
import { type TlsOptions, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { closeAgent } from './guarded-agent.ts'
import { createPolicy } from './policy.ts'
import type { SendResult } from './send.ts'
import { attempt, ok, once } from './testing/attempt.ts'
import { type DnsServer, startDnsServer } from './testing/dns-server.ts'
import { type Receiver, type Serve, startReceiver } from './testing/receiver.ts'

const pem = (name: string) =>
  readFileSync(new URL(`./testing/${name}.pem`, import.meta.url), 'utf8')

let dns: DnsServer
const defaultCertificates = getCACertificates()

beforeAll(async () => {
  dns = await startDnsServer((name) => {
    if (name === 'silent.test') return 'silent'
    return name.endsWith('receiver.test') ? { addresses: ['127.0.0.1'] } : 'missing'
  })
  setDefaultCACertificates([...defaultCertificates, pem('trusted'), pem('expired')])
})

afterAll(async () => {
  setDefaultCACertificates(defaultCertificates)
  await dns[Symbol.asyncDispose]()
})

const reach = (url: string, timeoutMs = 5000) =>
  attempt(
    url,
    { timeoutMs },
    {
      allowedHosts: '127.0.0.1 receiver.test other.receiver.test silent.test nowhere.test',
      dnsServers: [dns.address],
    },
  )

describe('over TLS, a receiver', () => {
  const answer = once((socket) => socket.write(ok('secure')))

  interface Meeting extends TlsOptions {
    certificate?: string
    host?: string
  }

  async function meetTls({
    certificate = 'trusted',
    host = 'receiver.test',
    ...options
  }: Meeting = {}): Promise<{ result: SendResult; receiver: Receiver }> {
    const keys = { key: pem(certificate), cert: pem(certificate), ...options }
    const receiver = await startReceiver(answer, { tls: keys })
    onTestFinished(() => receiver[Symbol.asyncDispose]())
    return { result: await reach(`https://${host}:${receiver.port}/`), receiver }
  }

  test('with a trusted certificate is sent to', async () => {
    const { result } = await meetTls()
    expect(result).toMatchObject({
      outcome: 'success',
      body: Buffer.from('secure'),
      timings: {
        dns: expect.any(Number),
        connect: expect.any(Number),
        tls: expect.any(Number),
        head: expect.any(Number),
      },
    })
  })

  test.each<[string, string, Meeting]>([
    ['a self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', { certificate: 'untrusted' }],
    ['an expired certificate', 'CERT_HAS_EXPIRED', { certificate: 'expired' }],
    [
      'the certificate of another host',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      { host: 'other.receiver.test' },
    ],
    ['a certificate without its address', 'ERR_TLS_CERT_ALTNAME_INVALID', { host: '127.0.0.1' }],
    [
      'TLS 1.1 only',
      'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
      { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' },
    ],
    ['HTTP/2 only', 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', { ALPNProtocols: ['h2'] }],
  ])('with %s is not sent to', async (_, code, meeting) => {
    const { result, receiver } = await meetTls(meeting)
    expect(result).toMatchObject({ outcome: 'tls', phase: 'tls', code })
    expect(receiver.connections.map(({ received }) => received()).join('')).toBe('')
  })

  test.each<[string, Serve, Partial<SendResult>]>([
    ['that never shakes hands', () => undefined, { outcome: 'timeout', phase: 'tls' }],
    [
      'that resets at the handshake',
      (socket) => socket.resetAndDestroy(),
      { outcome: 'reset', phase: 'tls' },
    ],
    [
      'that speaks plain HTTP',
      (socket) => socket.end('HTTP/1.1 400 x\r\n\r\n'),
      { outcome: 'tls', phase: 'tls' },
    ],
  ])('%s', { tags: 'large' }, async (_, serve, expected) => {
    const { result, receiver } = await meetPlain(serve)
    expect(result).toMatchObject(expected)
    expect(receiver.connections).toHaveLength(1)
  })

  async function meetPlain(serve: Serve): Promise<{ result: SendResult; receiver: Receiver }> {
    const receiver = await startReceiver(serve)
    onTestFinished(() => receiver[Symbol.asyncDispose]())
    return { result: await reach(`https://receiver.test:${receiver.port}/`, 1000), receiver }
  }
})

describe('a name', () => {
  test('that does not exist is a failure of the DNS', async () => {
    expect(await reach('http://nowhere.test/')).toMatchObject({
      outcome: 'dns',
      phase: 'dns',
      code: 'ENOTFOUND',
    })
  })

  test('whose server never answers is a timeout', async () => {
    expect(await reach('http://silent.test/', 500)).toMatchObject({
      outcome: 'timeout',
      phase: 'dns',
    })
  })

  test('that resolves after the time is up is not sent to', { tags: 'large' }, async () => {
    await using receiver = await startReceiver(once((socket) => socket.write(ok(''))))
    await using slow = await startDnsServer((_, question) =>
      question === 1 ? 'silent' : { addresses: ['127.0.0.1'] },
    )
    const policy = createPolicy({ allowedHosts: 'slow.test', dnsServers: [slow.address] })
    onTestFinished(() => closeAgent(policy))
    const result = await attempt(`http://slow.test:${receiver.port}/`, { policy, timeoutMs: 500 })
    expect(result).toMatchObject({ outcome: 'timeout', phase: 'dns' })
    await expect.poll(() => receiver.connections.length).toBe(1)
    await expect.poll(() => receiver.open()).toBe(0)
    expect(receiver.connections[0]!.received()).toBe('')
  })
})
