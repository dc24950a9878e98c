import { type EmbeddedPostgres, startPostgres } from '@svc/embedded-postgres/start'
import { Fault } from './fault.ts'
import { createRestartBudget } from './restart-budget.ts'
import type { Told } from './told.ts'

export interface KeptPostgres extends AsyncDisposable {
  readonly connectionString: string
  readonly pid: number
}

/** A PostgreSQL that is started again whenever it dies; its address stays the same. */
export async function keepPostgres(folder: string, told: Told): Promise<KeptPostgres> {
  const start = () => startPostgres({ folder, log: told.detail })
  let server: EmbeddedPostgres = await start()
  const { connectionString } = server
  const budget = createRestartBudget()
  let stopping = false

  const watch = async () => {
    while (!stopping) {
      await server.closed
      if (stopping) return
      told.notice('PostgreSQL has ended; it is started again')
      await server.stop()
      if (!budget.take())
        throw new Fault(`PostgreSQL ends again and again; its log lies in ${folder}.`)
      server = await start()
    }
  }
  const watching = watch().catch((error: unknown) => told.fatal(error))

  return {
    connectionString,
    get pid() {
      return server.pid
    },
    async [Symbol.asyncDispose]() {
      stopping = true
      await server.stop()
      await watching
    },
  }
}
