import { type IncomingMessage, type Server, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface BearerProxy extends AsyncDisposable {
  url: string
}

/**
 * The official suite sends no token: this adds one. It names the target in place of itself and lets every other
 * `Host`, hostile ones too, go through as it came.
 */
export async function openBearerProxy(target: string, token: string): Promise<BearerProxy> {
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
  own = `127.0.0.1:${await listen(server)}`
  return {
    url: `http://${own}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

async function listen(server: Server): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  // a server that listens on a port has an address with one
  return (server.address() as AddressInfo).port
}
