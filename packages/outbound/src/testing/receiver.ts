import { once } from 'node:events'
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'

/** Called anew at every chunk, with all that came so far. */
export type Serve = (socket: Socket, received: string) => void

export interface Receiver extends AsyncDisposable {
  port: number
  /** Connections that arrived, and what they sent. */
  connections: { received: () => string }[]
  open: () => number
}

/** A TCP listener that treats each connection as `serve` says. */
export async function startReceiver(
  serve: Serve,
  options: { host?: string; port?: number; tls?: TlsOptions } = {},
): Promise<Receiver> {
  const connections: { received: () => string }[] = []
  const sockets = new Set<Socket>()
  const accept = (socket: Socket) => {
    let received = ''
    connections.push({ received: () => received })
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      serve(socket, received)
    })
  }
  const server: Server = options.tls
    ? createTlsServer(options.tls, accept).on('tlsClientError', () => undefined)
    : createServer(accept)
  await listen(server, options.host ?? '127.0.0.1', options.port)
  return {
    // A server listening on TCP has an address with a port.
    port: (server.address() as AddressInfo).port,
    connections,
    open: () => sockets.size,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * On a port that the system gives to nobody by itself, and `freePort` to no server: clients of other tests go on calling
 * the ports of servers that are gone, and connections are counted here. It is above all that an endpoint may not name.
 */
async function listen(server: Server, host: string, port?: number): Promise<void> {
  const chosen = port ?? 11_000 + Math.floor(Math.random() * 9_000)
  try {
    server.listen(chosen, host)
    await once(server, 'listening')
  } catch (error) {
    if (port !== undefined || !isTaken(error)) throw error
    await listen(server, host)
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}
