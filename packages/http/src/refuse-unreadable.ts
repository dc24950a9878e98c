import { randomUUID } from 'node:crypto'
import { type Server, type ServerResponse, STATUS_CODES, maxHeaderSize } from 'node:http'
import type { Duplex } from 'node:stream'
import { ServiceError } from '@svc/contracts/errors'
import type { Log } from '@svc/process/log'
import { failureOf } from './error-response.ts'

interface ClientError extends Error {
  code?: string
  /** What could not be read, as far as it came at once. */
  rawPacket?: Buffer
}

/** How long what a refused client goes on to send is read. */
const lingerMs = 2_000

/**
 * Answers what cannot be read as a request. A connection that is closed with bytes unread is reset, and a client that
 * still sends would lose the answer: so what comes is read until the client has ended, too, or its time is up.
 */
export function refuseUnreadable(server: Server, log: Log): void {
  const hasBegun = trackAnswers(server)
  server.on('clientError', (error: ClientError, socket) => {
    // each further part of a refused request comes here again
    if (!socket.writable) return
    if (hasBegun(socket)) return void socket.destroy()
    socket.end(answerTo(error, log))
    socket.resume()
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('close', () => clearTimeout(timer))
  })
}

/** Whether an answer has begun on a connection: a second would be taken for a part of it. */
function trackAnswers(server: Server): (socket: Duplex) => boolean {
  const open = new WeakMap<Duplex, Set<ServerResponse>>()
  server.prependListener('request', ({ socket }, response) => {
    const ofSocket = open.get(socket) ?? new Set()
    open.set(socket, ofSocket.add(response))
    response.once('close', () => ofSocket.delete(response))
  })
  return (socket) => [...(open.get(socket) ?? [])].some(({ headersSent }) => headersSent)
}

function answerTo({ code = '', rawPacket }: ClientError, log: Log): string {
  const requestId = randomUUID()
  const { status, body, headers } = failureOf(refusalOf(code), requestId, log)
  const text = JSON.stringify(body)
  const all = {
    ...headers,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`
  // an answer to HEAD has no body: a client would read one as the start of the next answer
  return rawPacket?.subarray(0, 5).toString() === 'HEAD ' ? head : head + text
}

function refusalOf(code: string): ServiceError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError(
        'headers_too_large',
        `Keep the address and the headers within ${maxHeaderSize} bytes.`,
      )
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ServiceError('too_large', 'Send the chunks of the body without extensions.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError(
        'request_timeout',
        'The request did not arrive in time: send it again, in smaller parts or faster.',
      )
    default:
      return new ServiceError('validation_failed', 'Send a well-formed request of HTTP/1.1.')
  }
}
