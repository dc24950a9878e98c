import { startPostgres } from '@svc/embedded-postgres/start'
import type { Running } from '@svc/process/run'
import { Fault } from './fault.ts'
import { createRestartBudget } from './restart-budget.ts'
import type { Reporter } from './reporter.ts'
import { watchDisk } from './watch-disk.ts'

export interface KeptPostgres extends AsyncDisposable {
  readonly connectionString: string
  readonly pid: number
}

/** A PostgreSQL that is started again whenever it dies; its address stays the same. */
export async function keepPostgres(
  folder: string,
  running: Pick<Running, 'signal' | 'onSecondSignal'>,
  reporter: Reporter,
): Promise<KeptPostgres> {
  const closing = new AbortController()
  const signal = AbortSignal.any([running.signal, closing.signal])
  const start = () => startPostgres({ folder, log: reporter.detail, signal })
  let starting = start()
  running.onSecondSignal(() =>
    starting.then(
      (server) => server.stopNow(),
      () => undefined,
    ),
  )
  let server = await starting
  const { connectionString } = server
  const budget = createRestartBudget()
  const disk = watchDisk(server.location, reporter)

  const watch = async () => {
    for (;;) {
      await server.closed
      if (signal.aborted) return
      reporter.notice('PostgreSQL has ended; it is started again')
      await server.stop()
      if (!budget.take())
        throw new Fault(`PostgreSQL ends again and again; its log lies in ${folder}.`)
      starting = start()
      server = await starting
    }
  }
  const watching = watch().catch((error: unknown) => {
    if (!signal.aborted) reporter.fatal(error)
  })

  return {
    connectionString,
    get pid() {
      return server.pid
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new Error('PostgreSQL is stopped'))
      disk[Symbol.dispose]()
      const latest = await starting.catch(() => undefined)
      await latest?.stop()
      await watching
    },
  }
}
