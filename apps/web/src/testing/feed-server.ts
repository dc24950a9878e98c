import { once } from 'node:events'
import { type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A real server whose feed sends what a test says; all connections that were ever made, with where they went on. */
export interface FeedServer {
  baseUrl: string
  connections: { from: string | undefined; response: ServerResponse }[]
  send: (id: string, change?: object) => void
  refuse: (status: number, code: string) => void
}

export async function serveFeed(): Promise<FeedServer> {
  const connections: FeedServer['connections'] = []
  let refusal: { status: number; code: string } | undefined
  const server = createServer((request, response) => {
    if (refusal) {
      const { status, code } = refusal
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { code, message: 'No.', requestId: 'r' } }))
      return
    }
    const from = request.headers['last-event-id']
    const cursor = typeof from === 'string' ? from : undefined
    connections.push({ from: cursor, response })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`id: ${cursor ?? '1.0'}\nevent: start\ndata: {"version":"0.0.0"}\n\n`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    // it listens on a port
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections,
    send: (id, change = {}) => {
      const text = `id: ${id}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`
      connections.at(-1)?.response.write(text)
    },
    refuse: (status, code) => {
      refusal = { status, code }
      for (const { response } of connections) response.destroy()
    },
  }
}
