import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
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
  /** Told of a connection that broke while idle; the pool replaces it. */
  onError: (error: Error) => void
}

/** Milliseconds. A statement that waits longer than this is a fault and not a wait. */
const sessionSettings = {
  statement_timeout: 30_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 30_000,
}

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: 5_000,
    ...sessionSettings,
    types: { getTypeParser },
  })
  pool.on('error', options.onError)
  // one that breaks in use fails its query; without a listener it would end the process as well
  pool.on('connect', (client) => client.on('error', () => undefined))
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

const int8 = 20

/** int8 as number: offsets and sequence numbers of ours stay far below 2^53. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  // the overloads of pg's own function differ per format; each value is passed on as it came
  oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')
