import type { Socket } from 'node:net'
import pg from 'pg'

type Written = (error?: Error | null) => void

/** The n-th write of a call to the database, and how many of its cuts come before this one. */
export interface CrashPoint {
  write: number
  cut: number
}

/** The connections of one process of the service to its database, as bytes. */
export interface Wire extends Disposable {
  /** The address by which that process opens its database. */
  url: string
  /** From now on, until the answer is asked for: how many cuts each write offers. */
  count(): { stop: () => number[] }
  /** The connection that makes this write breaks there. Answers by `stop` whether it came to that. */
  cutAt(point: CrashPoint): { stop: () => boolean }
}

interface Watcher {
  /** How many bytes of this write get through before the connection breaks; all, and it lives, when undefined. */
  (bytes: Buffer): number | undefined
}

/** Taps every connection that is opened by the given address, and no other one of this process. */
export function openWire(databaseUrl: string, name: string): Wire {
  let watcher: Watcher | undefined
  // what pg declares leaves out whom a client is for, and the stream of its messages
  interface Client {
    connectionParameters: { application_name?: string }
    connection: { stream: Socket }
  }
  const prototype = pg.Client.prototype as unknown as { connect: (...given: unknown[]) => unknown }
  const { connect } = prototype
  prototype.connect = function tapped(this: Client, ...given) {
    if (this.connectionParameters.application_name === name) {
      tap(this.connection.stream, (bytes) => watcher?.(bytes))
    }
    return connect.apply(this, given)
  }
  return {
    url: `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}application_name=${name}`,
    count() {
      const writes: number[] = []
      watcher = (bytes) => {
        writes.push(cutsOf(bytes).length)
        return undefined
      }
      return {
        stop() {
          watcher = undefined
          return writes
        },
      }
    },
    cutAt({ write, cut }) {
      let seen = 0
      let isCut = false
      watcher = (bytes) => {
        if (++seen !== write) return undefined
        const at = cutsOf(bytes)[cut]
        isCut = at !== undefined
        return at
      }
      return {
        stop() {
          watcher = undefined
          return isCut
        },
      }
    },
    [Symbol.dispose]: () => void (prototype.connect = connect),
  }
}

/** Streams pass bytes under the name `buffer`, which is missing in the type. */
const encoding = 'buffer' as BufferEncoding

/** What is written in one go passes the watcher as one: the driver gathers the statements of a moment. */
function tap(stream: Socket, watch: Watcher): void {
  const write: Socket['_write'] = stream._write.bind(stream)
  let isBroken = false
  const pass = (bytes: Buffer, written: Written) => {
    const through = isBroken ? 0 : watch(bytes)
    if (through === undefined) return write(bytes, encoding, written)
    if (isBroken) return written()
    isBroken = true
    // the server carries out what it got, its answers are lost, and it closes when it is done: then it is known here
    stream.removeAllListeners('data').resume()
    // not at once: the write that is passed here is still under way
    setImmediate(() => stream.end())
    if (through === 0) written()
    else write(bytes.subarray(0, through), encoding, written)
  }
  stream._write = (chunk: Buffer, _encoding, written) => pass(chunk, written)
  stream._writev = (chunks, written) =>
    pass(Buffer.concat(chunks.map(({ chunk }) => chunk)), written)
}

/** A simple query, and the Sync behind the messages of any other statement. */
const lastOfStatement = new Set(['Q', 'S'])

/** Before the write, within each of its statements, and after each. The last message of a start has no kind. */
function cutsOf(bytes: Buffer): number[] {
  const cuts = [0]
  let begun = 0
  for (let at = 0; at < bytes.length;) {
    const kind = String.fromCharCode(bytes[at] ?? 0)
    at += 1 + bytes.readInt32BE(at + 1)
    if (!lastOfStatement.has(kind)) continue
    cuts.push(begun + Math.floor((at - begun) / 2), at)
    begun = at
  }
  return cuts
}
