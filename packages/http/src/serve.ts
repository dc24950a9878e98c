import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import type { Log } from '@svc/process/log'
import type { HttpApp } from './create-app.ts'
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
const connectionMs = 300

/** Its message is one sentence that says what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** Listens, or throws one sentence that says why not. Closing ends feeds and long polls at once and lets requests finish. */
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
  const server = openServer(app, life)
  refuseUnreadable(server, log)
  const requests = countRequests(server)
  const bound = await listen(server, host, port)
  log.info({ host, port: bound }, 'listening')

  async function close(): Promise<void> {
    draining = true
    await delay(drainSeconds * 1_000)
    stopping.abort()
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    await Promise.race([
      requests.finished(),
      delay(requestSeconds * 1_000, undefined, { ref: false }),
    ])
    // A client's spare connection that never sent a byte is not idle to Node and would hold the server open.
    await Promise.race([closed, delay(connectionMs)])
    server.closeAllConnections()
    await closed
  }

  let closing: Promise<void> | undefined
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    [Symbol.asyncDispose]: () => (closing ??= close()),
  }
}

function openServer(app: HttpApp, life: ServerLife): Server {
  const server = createAdaptorServer({
    fetch: (request, bindings) => app.fetch(request, { ...bindings, life }),
    overrideGlobalObjects: false,
    createServer,
    // The time for a request ends with its last byte, so that answers may take as long as they like.
    serverOptions: {
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      connectionsCheckingInterval: 5_000,
    },
  })
  // `createServer` above is that of node:http.
  return server as Server
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

function countRequests(server: Server) {
  let running = 0
  let whenNone: (() => void) | undefined
  server.prependListener('request', (_request, response) => {
    running += 1
    response.once('close', () => {
      running -= 1
      if (running === 0) whenNone?.()
    })
  })
  return {
    async finished(): Promise<void> {
      if (running === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      whenNone = resolve
      await promise
    },
  }
}
