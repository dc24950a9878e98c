import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Pool } from 'pg'

/** The other end of `forkBare`: opens what the first message orders, and closes it when the parent lets go. */
export function serveOrder<Order>(open: (order: Order) => { server: Server; pool: Pool }): void {
  process.once('message', (order: Order) => {
    const { server, pool } = open(order)
    // a server that listens on a port has an address with one
    server.once('listening', () => process.send?.((server.address() as AddressInfo).port))
    process.once('disconnect', () => {
      server.close()
      server.closeAllConnections()
      void pool.end()
    })
  })
}
