import type * as http from 'node:http'
import type * as https from 'node:https'
import type { HttpRequest } from './request.ts'
import type { BegunAnswer } from './surroundings.ts'

const connectMs = 10_000
/** A long answer is kept alive by a space every few seconds. */
const silenceMs = 300_000

/**
 * The one place that knows how a call travels from Node. Resolves with whatever answer there is: a redirect is not followed,
 * because the credential goes to no other address.
 */
export async function sendOnce(
  baseUrl: string,
  { method, path, headers, body }: HttpRequest,
  signal?: AbortSignal,
): Promise<BegunAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  const url = new URL(baseUrl + path)
  const length = body !== undefined && { 'content-length': Buffer.byteLength(body) }
  const sent = protocolOf(url).request(url, {
    method,
    headers: { ...headers, ...length },
    timeout: silenceMs,
    ...(signal && { signal }),
  })
  sent.once('response', resolve)
  sent.on('error', reject)
  sent.once('timeout', () => sent.destroy(new Error('no byte came for too long')))
  limitConnecting(sent, url)
  sent.end(body)
  const response = await promise
  const named = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
  // Every answer to a request has a status.
  const status = response.statusCode ?? 0
  return { status, headers: Object.fromEntries(named), body: response }
}

/**
 * Fetched and not imported: an import reads all that the module exports, and so loads `fetch` and `WebSocket` too, which
 * is more than a whole supervisor has need of. The agents are the global ones, which keep to the proxy and the
 * certificates that Node was told.
 */
function protocolOf({ protocol }: URL): typeof http | typeof https {
  const name = protocol === 'https:' ? 'node:https' : 'node:http'
  return process.getBuiltinModule(name)
}

function limitConnecting(sent: http.ClientRequest, { protocol }: URL): void {
  sent.once('socket', (socket) => {
    if (!socket.connecting) return
    const late = () => sent.destroy(new Error('no connection came about in time'))
    const timer = setTimeout(late, connectMs)
    const settled = () => clearTimeout(timer)
    socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', settled)
    socket.once('close', settled)
  })
}
