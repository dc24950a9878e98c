import { type Socket, connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, type Dispatcher, type buildConnector } from 'undici'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkHost } from './check-host.ts'
import { BlockedAddressError, agentOf, closeAgent, guardedConnector } from './guarded-agent.ts'
import { type Policy, type PolicyOptions, createPolicy } from './policy.ts'
import { send } from './send.ts'
import { type ZoneAnswer, startDnsServer } from './testing/dns-server.ts'
import { type Receiver, startReceiver } from './testing/receiver.ts'

const publicAddress = '93.184.216.34'

/** Answers every request, and keeps the connection. */
function answerEach(socket: Socket): void {
  socket.write('HTTP/1.1 204 No Content\r\n\r\n')
}

function openPolicy(options: PolicyOptions): Policy {
  const policy = createPolicy(options)
  onTestFinished(() => closeAgent(policy))
  return policy
}

const post = (url: string, policy: Policy) =>
  send({ url, headers: {}, body: '{}', timeoutMs: 10_000, policy })

/** Past `send`, which would refuse these URLs by their text. */
const dispatchTo = (origin: string, agent: Dispatcher) =>
  agent.request({ origin, path: '/', method: 'POST', body: '{}' })

describe('a host that moves', () => {
  test.each<[string, (question: number, port: number) => ZoneAnswer]>([
    ['to this machine', (n) => ({ addresses: [n === 1 ? publicAddress : '127.0.0.1'] })],
    ['to ::1', (n) => ({ addresses: [n === 1 ? publicAddress : '::1'] })],
    [
      'to a mapped spelling of it',
      (n) => ({ addresses: [n === 1 ? publicAddress : '::ffff:7f00:1'] }),
    ],
    [
      'to a set with one private address',
      (n) => ({ addresses: n === 1 ? [publicAddress] : [publicAddress, '127.0.0.1'] }),
    ],
    [
      'to a public and a private family',
      (n) => ({ addresses: n === 1 ? [publicAddress] : [publicAddress, '::1'] }),
    ],
    [
      'behind an alias of a private name',
      (n) =>
        n === 1
          ? { addresses: [publicAddress] }
          : { addresses: ['127.0.0.1'], cname: 'db.internal' },
    ],
    [
      'behind an alias of the metadata service',
      (n) =>
        n === 1
          ? { addresses: [publicAddress] }
          : { addresses: ['169.254.169.254'], cname: 'metadata.google.internal' },
    ],
  ])('%s after it was saved is not connected to', async (_, zone) => {
    await using four = await startReceiver(answerEach)
    await using six = await startReceiver(answerEach, { host: '::1', port: four.port })
    await using dns = await startDnsServer((__, question) => zone(question, four.port))
    const policy = openPolicy({ dnsServers: [dns.address] })
    const url = `https://rebind.example:${four.port}/`
    expect(await checkHost(url, policy)).toMatchObject({ ok: true, url })
    const result = await post(url, policy)
    expect(result).toMatchObject({ outcome: 'blocked_address', phase: 'connect' })
    expect([result.address, result.body.length]).toEqual([undefined, 0])
    expect([four.connections.length, six.connections.length]).toEqual([0, 0])
  })

  test('out of its range between two attempts is not connected to again', async () => {
    await using first = await startReceiver(closeEach, { host: '127.0.0.2' })
    await using second = await startReceiver(closeEach, { host: '127.0.0.1', port: first.port })
    await using dns = await startDnsServer((_, question) => ({
      addresses: [question === 1 ? '127.0.0.2' : '127.0.0.1'],
    }))
    const policy = openPolicy({
      allowedHosts: 'rebind.example=127.0.0.2/32',
      dnsServers: [dns.address],
    })
    const url = `http://rebind.example:${first.port}/`
    expect(await post(url, policy)).toMatchObject({ outcome: 'success', address: '127.0.0.2' })
    expect(await post(url, policy)).toMatchObject({ outcome: 'blocked_address' })
    expect([first.connections.length, second.connections.length]).toEqual([1, 0])
  })

  test('would be reached by an agent that trusts the answer (control)', async () => {
    await using receiver = await startReceiver(answerEach)
    await using dns = await startDnsServer(() => ({ addresses: ['127.0.0.1'] }))
    const { resolve } = createPolicy({ dnsServers: [dns.address] })
    const agent = trustingAgent(resolve)
    await dispatchTo(`http://rebind.example:${receiver.port}`, agent)
    expect(receiver.connections).toHaveLength(1)
  })
})

describe('a literal', () => {
  const own = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter((entry) => entry.family === 'IPv4')
    .map((entry) => entry.address)

  test.each([
    ...new Set(['127.0.0.1', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '0.0.0.0', ...own]),
  ])('%s is not connected to', async (host) => {
    await using receiver = await startReceiver(answerEach, { host: '0.0.0.0' })
    const agent = agentOf(openPolicy({}))
    const attempt = dispatchTo(`http://${host}:${receiver.port}`, agent)
    await expect(attempt).rejects.toBeInstanceOf(BlockedAddressError)
    expect(receiver.connections).toHaveLength(0)
  })

  test('would be reached by an agent that guards its lookup alone (control)', async () => {
    await using receiver = await startReceiver(answerEach)
    const agent = trustingAgent(() => Promise.reject(new BlockedAddressError()))
    await dispatchTo(`http://127.0.0.1:${receiver.port}`, agent)
    expect(receiver.connections).toHaveLength(1)
  })
})

test('a connection that arrived elsewhere than it was sent is dropped before the request', async () => {
  await using receiver = await startReceiver(answerEach)
  const policy = createPolicy()
  const astray: buildConnector.connector = (_, callback) => {
    const socket = connect(receiver.port, '127.0.0.1', () => callback(null, socket))
  }
  const agent = new Agent({
    connect: guardedConnector({ host: 'good.example', entries: [] }, policy, astray),
  })
  onTestFinished(() => agent.destroy())
  const attempt = dispatchTo('http://good.example', agent)
  await expect(attempt).rejects.toBeInstanceOf(BlockedAddressError)
  await expect.poll(() => receiver.connections.length - receiver.open()).toBe(1)
  expect(receiver.connections[0]?.received()).toBe('')
})

describe('an open connection', () => {
  const requestsAt = (receiver: Receiver) =>
    receiver.connections.map(({ received }) => received().split('POST ').length - 1)

  test('serves the next attempt', async () => {
    await using receiver = await startReceiver(answerEach)
    const policy = openPolicy({ allowedHosts: '127.0.0.1' })
    const url = `http://127.0.0.1:${receiver.port}/`
    const first = await post(url, policy)
    // undici holds a connection back for one turn after an answer.
    await wait(20)
    const second = await post(url, policy)
    expect(requestsAt(receiver)).toEqual([2])
    expect([first.timings.connect, second.timings.connect]).toEqual([expect.any(Number), undefined])
    expect([first.address, second.address]).toEqual(['127.0.0.1', '127.0.0.1'])
  })

  test('is not used once the host is no longer allowed', async () => {
    await using receiver = await startReceiver(answerEach)
    await using dns = await startDnsServer(() => ({ addresses: ['127.0.0.1'] }))
    const settings = { dnsServers: [dns.address] }
    const before = openPolicy({ allowedHosts: 'receiver.example', ...settings })
    expect(await post(`http://receiver.example:${receiver.port}/`, before)).toMatchObject({
      outcome: 'success',
    })
    const after = openPolicy(settings)
    for (const scheme of ['http', 'https']) {
      const result = await post(`${scheme}://receiver.example:${receiver.port}/`, after)
      expect(result.outcome).toBe('blocked_address')
    }
    const origin = `http://receiver.example:${receiver.port}`
    await expect(dispatchTo(origin, agentOf(after))).rejects.toBeInstanceOf(BlockedAddressError)
    expect(requestsAt(receiver)).toEqual([1])
  })

  test('ends when the agent is closed', async () => {
    await using receiver = await startReceiver(answerEach)
    const policy = createPolicy({ allowedHosts: '127.0.0.1' })
    await post(`http://127.0.0.1:${receiver.port}/`, policy)
    expect(receiver.open()).toBe(1)
    await closeAgent(policy)
    await expect.poll(() => receiver.open()).toBe(0)
  })
})

function closeEach(socket: Socket): void {
  socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n')
}

function trustingAgent(resolve: Policy['resolve']): Agent {
  const agent = new Agent({
    connect: {
      lookup: (host, _, callback) => {
        resolve(host, false).then(
          (found) =>
            callback(
              null,
              found.map((address) => ({ address, family: 4 })),
            ),
          (error: Error) => callback(error, []),
        )
      },
    },
  })
  onTestFinished(() => agent.destroy())
  return agent
}
