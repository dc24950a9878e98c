import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Connections {
  /** Makes the next answer on each connection its last, so that its client goes elsewhere and loses no call. */
  closeAfterAnswers(): void
  /** Closes each connection once nothing is answered on it, from now on. */
  closeIdle(): void
  /**
   * Whether the request came after the connection began to send its last answer: its own answer could not be sent any more.
   */
  isTooLate(response: ServerResponse): boolean
}

interface Connection {
  /** Requests that have no whole answer yet, oldest first. */
  running: Set<ServerResponse>
  /** Whether one of the answers says that it is the last. */
  isEnding: boolean
}

/** Knows what runs on which connection of a server. */
export function trackConnections(server: Server): Connections {
  const connections = new Map<Socket, Connection>()
  const tooLate = new WeakSet<ServerResponse>()
  let eachAnswerIsLast = false
  let idleOnesClose = false

  function makeLast(connection: Connection, response: ServerResponse | undefined): void {
    // what has begun without saying so is followed by another, or by the end of an idle connection
    if (!response || response.headersSent) return
    response.shouldKeepAlive = false
    connection.isEnding = true
  }

  function closeIfIdle(socket: Socket, { running }: Connection): void {
    if (idleOnesClose && running.size === 0) socket.destroySoon()
  }

  server.on('connection', (socket) => {
    connections.set(socket, { running: new Set(), isEnding: false })
    socket.once('close', () => connections.delete(socket))
  })
  server.prependListener('request', ({ socket }, response) => {
    const connection = connections.get(socket)
    if (!connection) return
    if (connection.isEnding) {
      tooLate.add(response)
      return
    }
    connection.running.add(response)
    response.once('close', () => {
      connection.running.delete(response)
      closeIfIdle(socket, connection)
    })
    if (eachAnswerIsLast) makeLast(connection, response)
  })

  function closeIdle(): void {
    idleOnesClose = true
    for (const [socket, connection] of connections) closeIfIdle(socket, connection)
  }
  // close() calls Node's own, which cuts an answer that is complete but not yet sent
  server.closeIdleConnections = closeIdle

  return {
    closeAfterAnswers() {
      eachAnswerIsLast = true
      for (const connection of connections.values()) {
        makeLast(connection, [...connection.running].at(-1))
      }
    },
    closeIdle,
    isTooLate: (response) => tooLate.has(response),
  }
}
