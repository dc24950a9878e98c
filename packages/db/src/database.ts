import type { Writable } from 'node:stream'
import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely'
import pg from 'pg'
import { createStatementNames, isStalePlan } from './statement-names.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>

/** A transaction that cannot be nested: opening another one inside it does not compile. */
export type Tx = Omit<
  Transaction<Tables>,
  'transaction' | 'startTransaction' | 'connection' | 'destroy'
>

/** What a reader needs: the database, or the transaction that it reads in. */
export type Queryable = Pick<Database, 'selectFrom' | 'getExecutor'>

export interface DatabaseOptions {
  url: string
  poolSize: number
  /** Called when a connection broke while idle; the pool replaces it. */
  onError: (error: Error) => void
  /** false behind a pooler that keeps no prepared statements. */
  prepare?: boolean
  /** For what takes as long as there is much of it. */
  noStatementTimeout?: boolean
}

/** One connection. Statements go out at once, whatever is still to be answered, and are answered in their order. */
export interface Connection {
  query: (text: string, values?: readonly unknown[]) => Promise<pg.QueryResult>
  /** `broken` closes it in place of giving it back. */
  release: (broken?: boolean) => void
  /** No transaction is open on it, as far as it has been answered. */
  isFree: () => boolean
}
export type Connect = () => Promise<Connection>

const connects = new WeakMap<object, Connect>()
const pools = new WeakMap<object, pg.Pool>()

/** The connections of a database that openDatabase opened, and who waits for one. */
export function connectionsOf(db: Database): { busy: number; idle: number; waiting: number } {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pools.get(db) ?? {}
  return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
}

/** Takes a connection of the pool that this database was opened with. */
export function connectTo(db: Database): Promise<Connection> {
  const connect = connects.get(db)
  if (!connect) throw new Error('this database was not opened by openDatabase')
  return connect()
}

/** Milliseconds. A statement that waits longer than this is a fault and not a wait. */
const sessionSettings = {
  statement_timeout: 30_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 30_000,
}

/** Milliseconds. Later than the server's own limit: a server or a network that is gone without a word ends no wait. */
const answerTimeout = 35_000

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: 5_000,
    pipeline: true,
    keepAlive: true,
    ...sessionSettings,
    query_timeout: answerTimeout,
    ...(options.noStatementTimeout && { statement_timeout: 0, query_timeout: 0 }),
    types: { getTypeParser },
  })
  // a server that stops may cut what is just being closed
  pool.on('error', (error) => void (pool.ending || options.onError(error)))
  // one that breaks in use fails its query; without a listener it would end the process as well
  pool.on('connect', (client) => client.on('error', () => undefined))
  const connect = connectWith(pool, options.prepare ?? true)
  const { options: poolOptions } = pool
  // Kysely only calls what a connection has; a cursor, which nothing here uses, would need more of a client
  const faces = {
    connect: async () => askingAgain(await connect()),
    end: () => pool.end(),
    options: poolOptions,
  } as unknown as PostgresPool
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: faces }) })
  connects.set(db, connect)
  pools.set(db, pool)
  return db
}

/** All else without values is sent as it is: `begin` and `commit` have no plan to keep, and several cannot be prepared. */
const isOnePlan = /^\s*(?:select|with|insert|update|delete)\b[^;]*$/i

function connectWith(pool: pg.Pool, prepare: boolean): Connect {
  const names = prepare ? createStatementNames() : undefined
  return async () => {
    const client = await pool.connect()
    const ask = (text: string, values: readonly unknown[], name?: string) => {
      holdBack(client)
      return client.query({ text, values: [...values], ...(name !== undefined && { name }) })
    }
    return {
      query(text, values = []) {
        if (values.length === 0 && !isOnePlan.test(text)) {
          holdBack(client)
          return client.query(text)
        }
        const name = names?.of(text)
        if (name === undefined) return ask(text, values)
        return ask(text, values, name).catch((error: unknown) => {
          if (isStalePlan(error)) names?.renew()
          throw error
        })
      },
      release: (broken) => client.release(broken),
      isFree: () => client.getTransactionStatus() === 'I',
    }
  }
}

/** Statements that are sent in one go leave in one write: each write wakes the server, and costs as much as the rest. */
function holdBack(client: pg.PoolClient): void {
  // the types of pg leave out the connection that every client has, and which is the stream of its messages
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** A statement of no transaction that met a stale plan has done nothing: it is sent again. */
function askingAgain(connection: Connection): Connection {
  return {
    ...connection,
    query: (text, values) =>
      connection.query(text, values).catch((error: unknown) => {
        if (!isStalePlan(error) || !connection.isFree()) throw error
        return connection.query(text, values)
      }),
  }
}

const int8 = 20

/** int8 as number: offsets and sequence numbers of ours stay far below 2^53. */
export const getTypeParser: typeof pg.types.getTypeParser = (
  oid: number,
  format?: 'text' | 'binary',
) =>
  // the overloads of pg's own function differ per format; each value is passed on as it came
  oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')
