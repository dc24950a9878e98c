import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { openRequest, passOn } from './pass-on.ts'
import { type Replica, watchReplica } from './replica.ts'

export interface EdgeOptions {
  host: string
  port: number
  /** The ports of this machine at which replicas answer. */
  api: readonly number[]
  gateway: readonly number[]
}

/** How long a call waits for a replica that is ready, as in infra/Caddyfile. */
const patienceMs = 20_000
const againMs = 50

/**
 * What joins API and gateway to one origin where no Caddy is installed, for a service on one machine: the paths, the wait and
 * the question for readiness are those of infra/Caddyfile. Each call has a connection of its own, so that it is known
 * whether a replica that has gone may have begun it.
 */
export async function openEdge({
  host,
  port,
  api,
  gateway,
}: EdgeOptions): Promise<AsyncDisposable> {
  const watching = new AbortController()
  const watched = (ports: readonly number[]) =>
    ports.map((one) => watchReplica(one, watching.signal))
  const replicas = { api: watched(api), gateway: watched(gateway) }
  const server = createServer((call, answer) => {
    const path = call.url ?? '/'
    void carry(call, answer, isOfGateway(path) ? replicas.gateway : replicas.api)
  })
  // streams and long polls take the time that they take
  Object.assign(server, { requestTimeout: 0, keepAliveTimeout: 60_000 })
  await listen(server, host, port)
  return {
    async [Symbol.asyncDispose]() {
      watching.abort()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

const ofGateway = /^\/(?:mcp|\.well-known\/oauth-protected-resource(?:\/.*)?)$/

/** Else it is the API's. */
export function isOfGateway(url: string): boolean {
  return ofGateway.test(url.replace(/\?.*$/, ''))
}

/** To a replica that is ready and can be reached; what could not be reached has not begun it, and another one is tried. */
async function carry(
  call: IncomingMessage,
  answer: ServerResponse,
  replicas: readonly Replica[],
): Promise<void> {
  const until = performance.now() + patienceMs
  while (!answer.closed) {
    const ready = replicas.filter(({ isReady }) => isReady())
    const replica = ready[Math.floor(Math.random() * ready.length)]
    const request = replica && (await openRequest(call, replica.port))
    if (request) return passOn(call, request, answer)
    replica?.hasGone()
    if (performance.now() > until) return void answer.writeHead(503).end()
    await delay(againMs)
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, host, resolve)
  await promise
}
