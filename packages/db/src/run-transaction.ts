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
  /** Of a statement that nobody waited for. */
  let untold: { error: unknown; statement: Sent } | undefined
  /** What the transaction was aborted by: statements that were sent after it fail for that alone. */
  let cause: { error: unknown } | undefined
  /** All that was sent so far has been answered, and noted in its order. */
  let settled: Promise<void> = Promise.resolve()
  let isOver = false
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
        if (!isAwaited) untold ??= { error, statement }
      },
    )
    return { answer, settled }
  }
  const pass = (statement: Sent) => void issue(statement, false)
  const takeUntold = () => {
    const taken = untold
    // what follows a `begin` that failed is carried out all the same: nothing more may follow
    if (untold?.statement !== begin) untold = undefined
    return taken
  }
  const ask = async (statement: Sent) => {
    const sent = issue(statement, true)
    const answer = await sent.answer.catch(async (error: unknown) => {
      await sent.settled
      const earlier = takeUntold() ?? (isAborted(error) ? cause : undefined)
      throw earlier ? earlier.error : error
    })
    await sent.settled
    const earlier = takeUntold()
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
    async forgetFailure() {
      await settled
      takeUntold()
    },
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
