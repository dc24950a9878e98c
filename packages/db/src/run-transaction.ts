import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  DummyDriver,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryResult,
  Transaction,
} from 'kysely'
import { type Connection, type Database, type Tx, connectTo } from './database.ts'
import type { Tables } from './tables.ts'

/** What is still to be written when the work is done. */
export interface Waiting {
  beforeCommit: () => CompiledQuery | undefined
}

/** Statements whose answer nobody waits for. */
export interface Unawaited {
  /** A failure is thrown, once, in place of the answer of the next statement that somebody waits for. */
  send: (statement: Sent) => void
  /** For those who undo what they sent: its failure is thrown no more. */
  forgetFailure: () => Promise<void>
}

/**
 * Runs `work` in a transaction. Its statements go out without waiting for those before them: `begin` rides with the
 * first one, what waited to be written rides with `commit`.
 */
export async function runTransaction<T>(
  db: Database,
  waiting: Waiting,
  work: (tx: Tx, unawaited: Unawaited) => Promise<T>,
): Promise<T> {
  const connection = await connectTo(db)
  const pipe = createPipe(connection, waiting)
  let broken = false
  try {
    pipe.send(begin)
    const result = await work(transactionOn(pipe), pipe)
    await pipe.commit()
    return result
  } catch (error) {
    pipe.close()
    // answered after everything that was sent before it, so that the connection is free of this transaction
    await connection.query('rollback').catch(() => {
      broken = true
    })
    throw error
  } finally {
    connection.release(broken)
  }
}

const adapter = new PostgresAdapter()
const compiler = new PostgresQueryCompiler()
const driver = new DummyDriver()
const dialect = {
  createAdapter: () => adapter,
  createDriver: () => driver,
  createQueryCompiler: () => compiler,
  createIntrospector: () => {
    throw new Error('a transaction looks at no schema')
  },
}
const begin: Sent = { sql: 'begin', parameters: [] }
const commit: Sent = { sql: 'commit', parameters: [] }

type Sent = Pick<CompiledQuery, 'sql' | 'parameters'>

interface Pipe extends DatabaseConnection, Unawaited {
  commit(): Promise<void>
  /** From here on the connection is another's: what comes late must not be sent on it. */
  close(): void
}

function createPipe(connection: Connection, waiting: Waiting): Pipe {
  let failed: { error: unknown; statement: Sent } | undefined
  let lastSent: Promise<void> = Promise.resolve()
  let isOver = false
  const pass = (statement: Sent) => {
    lastSent = connection.query(statement.sql, statement.parameters).then(
      () => undefined,
      (error: unknown) => void (failed ??= { error, statement }),
    )
  }
  const takeFailure = async () => {
    await lastSent
    const taken = failed
    // what follows a `begin` that failed is carried out all the same: nothing more may follow
    if (failed?.statement !== begin) failed = undefined
    return taken
  }
  const ask = async ({ sql, parameters }: Sent) => {
    const answer = await connection.query(sql, parameters).catch(async (error: unknown) => {
      // what was sent before it was answered before it
      const earlier = await takeFailure()
      throw earlier ? earlier.error : error
    })
    const earlier = await takeFailure()
    if (earlier) throw earlier.error
    return answer
  }
  const refuseIfOver = () => {
    if (isOver) throw new Error('a statement came after the end of its transaction')
  }
  return {
    send(statement) {
      refuseIfOver()
      pass(statement)
    },
    forgetFailure: async () => void (await takeFailure()),
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      refuseIfOver()
      return resultOf(await ask(query))
    },
    close: () => void (isOver = true),
    async commit() {
      isOver = true
      const before = waiting.beforeCommit()
      if (before) pass(before)
      const { command } = await ask(commit)
      if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`)
    },
    streamQuery() {
      throw new Error('a transaction streams nothing')
    },
  }
}

const countsRows = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

function resultOf<R>({ command, rowCount, rows }: Awaited<ReturnType<Connection['query']>>) {
  // the caller's statement says what its rows are
  const found = { rows: rows as R[] }
  return countsRows.has(command) ? { ...found, numAffectedRows: BigInt(rowCount ?? 0) } : found
}

function transactionOn(connection: DatabaseConnection): Tx {
  const provider = {
    provideConnection: <T>(use: (one: DatabaseConnection) => Promise<T>) => use(connection),
  }
  const executor = new DefaultQueryExecutor(compiler, adapter, provider)
  return new Transaction<Tables>({ config: { dialect }, dialect, driver, executor })
}
