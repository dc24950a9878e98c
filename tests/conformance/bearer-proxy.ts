import { type IncomingMessage, createServer, request } from 'node:http'
import { type Listening, listen } from '@svc/testing/listen'

/**
 * The official suite sends no token: this adds one. It names the target in place of itself and lets every other
 * `Host`, hostile ones too, go through as it came.
 */
export async function openBearerProxy(target: string, token: string): Promise<Listening> {
  const { hostname, port, host } = new URL(target)
  let own = ''
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
    if (headers.host === own) headers.host = host
    const { method = 'GET', url: path = '/' } = incoming
    const passed = request({ hostname, port, method, path, headers }, (answer: IncomingMessage) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  const listening = await listen(server)
  own = new URL(listening.url).host
  return listening
}
