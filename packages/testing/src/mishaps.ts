import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import pg from 'pg'
import { listen } from './listen.ts'

/**
 * What becomes of a statement. `lost`: the connection breaks before the server gets it; `unanswered`: after that, and
 * before the answer; `cancelled`: the server ends it as it ends one that took too long.
 */
export const mishaps = ['lost', 'unanswered', 'cancelled'] as const
export type Mishap = (typeof mishaps)[number]

/** A proxy in front of PostgreSQL that breaks a chosen statement. */
export interface SpoilingProxy extends AsyncDisposable {
  /** The address of the database through the proxy. */
  readonly url: string
  /**
   * Breaks the n-th statement from now on. `stop` says whether that many came, and waits until the server has finished what
   * it received before the connection broke.
   */
  spoil: (statement: number, mishap: Mishap) => { stop: () => Promise<boolean> }
}

export async function openSpoilingProxy(databaseUrl: string): Promise<SpoilingProxy> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl })
  const address = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  let left = 0
  let settled: Promise<unknown> = Promise.resolve()
  let meant: Mishap = 'lost'
  /** What becomes of this statement, if anything. */
  const mishapOfNext = () => {
    if (left === 0) return undefined
    left -= 1
    return left === 0 ? meant : undefined
  }

  const server = createServer((client) => {
    const upstream = connect(address)
    // a socket that breaks closes, and takes the other with it
    for (const socket of [client, upstream]) socket.on('error', () => undefined)
    client.once('close', () => upstream.end())
    upstream.once('close', () => client.destroy())
    upstream.pipe(client)
    const read = createUnitReader()
    client.on('data', (chunk) => {
      for (const unit of read(chunk)) {
        const mishap = isStatement(unit) ? mishapOfNext() : undefined
        if (mishap !== 'lost') upstream.write(mishap === 'cancelled' ? cancelled : unit.bytes)
        if (mishap === undefined || mishap === 'cancelled') continue
        settled = once(upstream, 'close')
        // read on to the end, else it never closes
        upstream.unpipe(client).resume()
        client.removeAllListeners('data').destroy()
        return
      }
    })
  })
  const listening = await listen(server)
  const login = [user, password ?? ''].map((part) => encodeURIComponent(part ?? '')).join(':')
  return {
    url: `postgres://${login}@127.0.0.1:${listening.port}/${encodeURIComponent(database ?? '')}`,
    spoil(statement, mishap) {
      left = statement
      meant = mishap
      return {
        async stop() {
          const spoiled = left === 0
          left = 0
          await settled
          return spoiled
        },
      }
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}

const cancelled = simpleQuery(`do $$ begin raise using errcode = '57014'; end $$`)

function simpleQuery(text: string): Buffer {
  const head = Buffer.from('Q\0\0\0\0')
  const body = Buffer.from(`${text}\0`)
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}

/** A simple query is one message; any other statement is several, which wait for their Sync. */
const parts = new Set(['P', 'B', 'D', 'E', 'C'])
const ends = new Set(['Q', 'S'])

function isStatement(unit: Unit): boolean {
  return unit.kind !== undefined && ends.has(unit.kind)
}

interface Unit {
  bytes: Buffer
  /** The kind of its last message; what opens a connection has none. */
  kind: string | undefined
}

/** Whole units out of whatever chunks come: a statement, or a message that belongs to none. */
function createUnitReader(): (chunk: Buffer) => Unit[] {
  let rest = Buffer.alloc(0)
  let read = 0
  let isOpen = false
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const units: Unit[] = []
    for (;;) {
      const head = isOpen ? 1 : 0
      if (rest.length < read + head + 4) return units
      const end = read + head + rest.readInt32BE(read + head)
      if (rest.length < end) return units
      const kind = isOpen ? String.fromCharCode(rest[read] ?? 0) : undefined
      isOpen = true
      read = end
      if (kind !== undefined && parts.has(kind)) continue
      units.push({ bytes: rest.subarray(0, end), kind })
      rest = rest.subarray(end)
      read = 0
    }
  }
}
