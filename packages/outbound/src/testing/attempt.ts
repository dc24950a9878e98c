import type { Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { closeAgent } from '../guarded-agent.ts'
import { type PolicyOptions, createPolicy } from '../policy.ts'
import { type SendInput, type SendResult, send } from '../send.ts'
import { type Receiver, type Serve, startReceiver } from './receiver.ts'

export const ok = (body: string | Buffer, headers = '') =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n${headers}\r\n`),
    Buffer.from(body),
  ])

/** A POST with time enough on a busy machine, under a policy of its own unless one is given. */
export async function attempt(
  url: string,
  input: Partial<SendInput> = {},
  options: PolicyOptions = { allowedHosts: '127.0.0.1' },
): Promise<SendResult> {
  const policy = input.policy ?? createPolicy(options)
  onTestFinished(() => closeAgent(policy))
  const body = '{"id":"1"}'
  return send({ url, headers: { 'x-test': 'é' }, body, timeoutMs: 5000, ...input, policy })
}

/** Acts once, at the end of the request's head. */
export const once = (act: (socket: Socket) => void): Serve => {
  const served = new WeakSet<Socket>()
  return (socket, received) => {
    if (!received.includes('\r\n\r\n') || served.has(socket)) return
    served.add(socket)
    act(socket)
  }
}

export const drip = (head: string, piece: string | Buffer, everyMs: number): Serve =>
  once((socket) => {
    socket.write(head)
    const timer = setInterval(() => socket.write(piece), everyMs)
    socket.on('close', () => clearInterval(timer))
  })

export const flood = (head: string, piece: Buffer): Serve =>
  once((socket) => {
    socket.write(head)
    const pour = () => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.on('drain', pour)
    pour()
  })

export async function meet(
  serve: Serve,
  timeoutMs = 5000,
): Promise<{ result: SendResult; receiver: Receiver }> {
  const receiver = await startReceiver(serve)
  onTestFinished(() => receiver[Symbol.asyncDispose]())
  const result = await attempt(`http://127.0.0.1:${receiver.port}/hook`, { timeoutMs })
  return { result, receiver }
}
