import { type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import type { Log } from '@svc/process/log'
import { type Connections, trackConnections } from './connections.ts'
import type { HttpApp } from './create-app.ts'
import { hostInAddress } from './loopback.ts'
import { refuseUnreadable } from './refuse-unreadable.ts'
import type { ServerLife } from './request-context.ts'

export interface ServeOptions {
  app: HttpApp
  host: string
  /** 0 takes a free port. */
  port: number
  /** How long /readyz says no before the server closes, for a proxy to notice. */
  drainSeconds: number
  log: Log
}

export interface Serving extends AsyncDisposable {
  readonly url: string
  readonly port: number
}

const requestSeconds = 25

/** Its message is one sentence that says what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/**
 * Listens, or throws one sentence that says why not. Closing makes each answer the last of its connection, then ends
 * feeds and long polls and closes what is idle: whatever has begun is answered, and what is not answered has not begun.
 */
export async function serve({
  app,
  host,
  port,
  drainSeconds,
  log,
}: ServeOptions): Promise<Serving> {
  const stopping = new AbortController()
  let draining = false
  const life: ServerLife = { stopping: stopping.signal, isDraining: () => draining }
  const { server, connections } = openServer(app, life)
  refuseUnreadable(server, log)
  const bound = await listen(server, host, port)
  log.info({ host, port: bound }, 'listening')

  async function close(): Promise<void> {
    draining = true
    connections.closeAfterAnswers()
    await delay(drainSeconds * 1_000)
    stopping.abort()
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    await Promise.race([closed, delay(requestSeconds * 1_000, undefined, { ref: false })])
    server.closeAllConnections()
    await closed
  }

  let closing: Promise<void> | undefined
  return {
    url: `http://${hostInAddress(host)}:${bound}`,
    port: bound,
    [Symbol.asyncDispose]: () => (closing ??= close()),
  }
}

function openServer(app: HttpApp, life: ServerLife): { server: Server; connections: Connections } {
  const server = createAdaptorServer({
    fetch: (request, bindings) =>
      connections.isTooLate(bindings.outgoing as ServerResponse)
        ? new Response(null, { status: 503 })
        : app.fetch(request, { ...bindings, life }),
    createServer,
    // The time for a request ends with its last byte, so that answers may take as long as they like.
    serverOptions: {
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      connectionsCheckingInterval: 5_000,
    },
  }) as Server // `createServer` above is that of node:http
  const connections = trackConnections(server)
  return { server, connections }
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(port, host, resolve)
  await promise.catch((error: NodeJS.ErrnoException) => {
    throw new ListenError(describeListenError(error, host, port), { cause: error })
  })
  server.removeListener('error', reject)
  // A server that listens on a port has an address with one.
  return (server.address() as AddressInfo).port
}

function describeListenError(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE') {
    return `Port ${port} on ${host} is taken: stop what listens there, or choose another with SVC_PORT.`
  }
  return `Cannot listen on ${host}:${port} (${error.code ?? error.message}): check SVC_HOST and SVC_PORT.`
}
