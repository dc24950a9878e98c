import {
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
  request as openHttp,
} from 'node:http'
import { connect } from 'node:net'
import { pipeline } from 'node:stream'

const connectMs = 2_000

/** What is said to the next one alone, or is for the edge to say. */
const notPassedOn = new Set([
  'connection',
  'forwarded',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
])

/** The same request to a port of this machine, without its body; nothing where nobody listens there. */
export async function openRequest(
  call: IncomingMessage,
  port: number,
): Promise<ClientRequest | undefined> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ host: '127.0.0.1', port })
  socket.setTimeout(connectMs, () => resolve(false))
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  if (!(await promise)) {
    socket.destroy()
    return undefined
  }
  socket.setTimeout(0)
  return openHttp({
    createConnection: () => socket,
    method: call.method,
    path: call.url,
    headers: [
      ...kept(call.rawHeaders),
      // it is closed here, once the answer is passed on: who is asked to do so may cut off what it has not read
      'Connection',
      'keep-alive',
      'X-Forwarded-For',
      call.socket.remoteAddress ?? '',
      'X-Forwarded-Host',
      call.headers.host ?? '',
      'X-Forwarded-Proto',
      'http',
    ],
  })
}

/** The body one way and the answer the other, each as it comes; whoever goes takes the other along. */
export function passOn(
  call: IncomingMessage,
  request: ClientRequest,
  answer: ServerResponse,
): void {
  request.once('response', (given) => {
    answer.writeHead(given.statusCode ?? 502, given.statusMessage, kept(given.rawHeaders))
    pipeline(given, answer, () => undefined)
  })
  request.once('error', () => {
    if (answer.headersSent) answer.destroy()
    else answer.writeHead(502).end()
  })
  answer.once('close', () => {
    request.destroy()
    // of a call that is answered before its end the rest is read away, so that the next one of its connection is heard
    call.unpipe(request).resume()
  })
  call.pipe(request)
}

/** Names and values by turns, as they came. */
function kept(raw: readonly string[]): string[] {
  const named = raw.filter((_, index) => index % 2 === 0)
  return named.flatMap((name, index) =>
    notPassedOn.has(name.toLowerCase()) ? [] : [name, raw[2 * index + 1] ?? ''],
  )
}
