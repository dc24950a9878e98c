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

/**
 * Runs `work` in a transaction. Its statements go out without waiting for those before them: `begin` rides with the
 * first one, what waited to be written rides with `commit`. `send` waits for no answer. A failure of what was sent so
 * is thrown in place of the answer of the statement that followed it.
 */
export async function runTransaction<T>(
  db: Database,
  waiting: Waiting,
  work: (tx: Tx, send: (query: CompiledQuery) => void) => Promise<T>,
): Promise<T> {
  const connection = await connectTo(db)
  const pipe = createPipe(connection, waiting)
  let broken = false
  try {
    pipe.send(begin)
    const result = await work(transactionOn(pipe), pipe.send)
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

interface Pipe extends DatabaseConnection {
  /** The failure of what is sent here is thrown by the next statement that somebody waits for. */
  send: (statement: Sent) => void
  commit(): Promise<void>
  /** From here on the connection is another's: what comes late must not be sent on it. */
  close(): void
}

function createPipe(connection: Connection, waiting: Waiting): Pipe {
  let failed: { error: unknown } | undefined
  let lastSent: Promise<void> = Promise.resolve()
  let isOver = false
  const send = ({ sql, parameters }: Sent) => {
    lastSent = connection.query(sql, parameters).then(
      () => undefined,
      (error: unknown) => void (failed ??= { error }),
    )
  }
  const ask = async ({ sql, parameters }: Sent) => {
    const answer = await connection.query(sql, parameters).catch(async (error: unknown) => {
      // it was answered before this one
      await lastSent
      throw failed ? failed.error : error
    })
    await lastSent
    // after a `begin` that failed, what follows it is carried out all the same: nothing more may follow
    if (failed) throw failed.error
    return answer
  }
  return {
    send,
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      if (isOver) throw new Error('a statement came after the end of its transaction')
      return resultOf(await ask(query))
    },
    close: () => void (isOver = true),
    async commit() {
      isOver = true
      const before = waiting.beforeCommit()
      if (before) send(before)
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
