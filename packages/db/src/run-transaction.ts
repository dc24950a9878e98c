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

/** A transaction that is open, as its work is given it. */
export interface OpenTransaction {
  /** Whatever is pending is flushed before each statement of it. */
  tx: Tx
  /** Sends a statement whose answer nobody waits for. Its failure is thrown, once, in place of the answer of the next. */
  send: (statement: Sent) => void
  /** For those who undo what they sent: its failure is thrown no more. */
  clearFailure: () => Promise<void>
  /** How many statements other than reads its work has sent. */
  countWrites: () => number
}

/**
 * Runs `work` in a transaction. Its statements go out without waiting for those before them: `begin` rides with the
 * first one. What `takePending` gives goes out in its order before the next statement, and the last of it, for which it is
 * asked with true, rides with `commit`.
 */
export async function runTransaction<T>(
  db: Database,
  takePending: (commits: boolean) => readonly Sent[],
  work: (open: OpenTransaction) => Promise<T>,
): Promise<T> {
  const connection = await connectTo(db)
  const pipe = createPipe(connection, takePending)
  let broken = false
  try {
    pipe.send(begin)
    const result = await work({
      tx: transactionOn(pipe.connection),
      send: pipe.send,
      clearFailure: pipe.clearFailure,
      countWrites: pipe.countWrites,
    })
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

interface Pipe extends Pick<OpenTransaction, 'send' | 'clearFailure' | 'countWrites'> {
  connection: DatabaseConnection
  commit(): Promise<void>
  /** From here on the connection is another's: what comes late must not be sent on it. */
  close(): void
}

/** What may write is counted as a write; `with` may. */
const isRead = /^\s*select\b/i

function createPipe(
  connection: Connection,
  takePending: (commits: boolean) => readonly Sent[],
): Pipe {
  /** The first failure of a statement that nobody waited for. */
  let unreported: { error: unknown; statement: Sent } | undefined
  /** What the transaction was aborted by: statements that were sent after it fail for that alone. */
  let cause: { error: unknown } | undefined
  /** All that was sent so far has been answered, and noted in its order. */
  let settled: Promise<void> = Promise.resolve()
  let isOver = false
  let writes = 0
  const issue = (statement: Sent, isAwaited: boolean) => {
    const answer = connection.query(statement.sql, statement.parameters)
    const before = settled
    settled = answer.then(
      async () => {
        await before
        cause = undefined
      },
      async (error: unknown) => {
        await before
        cause ??= { error }
        if (!isAwaited) unreported ??= { error, statement }
      },
    )
    return { answer, settled }
  }
  const pass = (statement: Sent) => void issue(statement, false)
  const takeUnreported = () => {
    const taken = unreported
    // what follows a `begin` that failed is carried out all the same: nothing more may follow
    if (unreported?.statement !== begin) unreported = undefined
    return taken
  }
  const ask = async (statement: Sent) => {
    const sent = issue(statement, true)
    const answer = await sent.answer.catch(async (error: unknown) => {
      await sent.settled
      const earlier = takeUnreported() ?? (isAborted(error) ? cause : undefined)
      throw earlier ? earlier.error : error
    })
    await sent.settled
    const earlier = takeUnreported()
    if (earlier) throw earlier.error
    return answer
  }
  const refuseIfOver = () => {
    if (isOver) throw new Error('a statement came after the end of its transaction')
  }
  const flush = (commits: boolean) => {
    for (const pending of takePending(commits)) pass(pending)
  }
  const flushing: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      refuseIfOver()
      flush(false)
      if (!isRead.test(query.sql)) writes += 1
      return resultOf(await ask(query))
    },
    streamQuery() {
      throw new Error('a transaction streams nothing')
    },
  }
  return {
    connection: flushing,
    send(statement) {
      refuseIfOver()
      pass(statement)
    },
    async clearFailure() {
      await settled
      takeUnreported()
    },
    countWrites: () => writes,
    close: () => void (isOver = true),
    async commit() {
      isOver = true
      flush(true)
      const { command } = await ask(commit)
      if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`)
    },
  }
}

/** Refused since another statement had failed; a text that was to be prepared then is not there. */
const abortedCodes = new Set<unknown>(['25P02', '26000'])

function isAborted(error: unknown): boolean {
  return error instanceof Error && 'code' in error && abortedCodes.has(error.code)
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
