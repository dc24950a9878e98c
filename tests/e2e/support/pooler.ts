import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@svc/testing/free-port'
import pg from 'pg'
import type { OwnPostgres, PostgresPlace } from './own-postgres.ts'
import { until } from './until.ts'

const program = '/usr/sbin/pgbouncer'

export const hasPooler = existsSync(program)

/** PgBouncer in transaction mode, as docs/operations.md sets it up. */
export interface Pooler {
  readonly url: string
  /** Resolves once it passes statements on. */
  start: () => Promise<void>
  kill: () => Promise<void>
}

/** `connections` is how many it has to the server for all who come. */
export async function openPooler(
  place: PostgresPlace,
  server: OwnPostgres,
  connections: number,
): Promise<Pooler> {
  const folder = place.folder('pooler')
  const port = await freePort()
  const url = place.url(port)
  const { username, password } = new URL(url)
  const users = join(folder, 'users')
  const settings = join(folder, 'settings')
  // the folder is closed to all but whoever runs it
  writeFileSync(users, `"${username}" "${password}"\n`)
  writeFileSync(
    settings,
    `[databases]
svc = host=127.0.0.1 port=${server.port}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${connections}
ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout
`,
  )
  let child: ReturnType<PostgresPlace['runOn']> | undefined
  return {
    url,
    async start() {
      const started = place.runOn(program, settings)
      child = started
      await until('the pooler answers', async () => {
        if (started.exitCode !== null) throw new Error('PgBouncer ended')
        const client = new pg.Client({ connectionString: url })
        client.on('error', () => undefined)
        try {
          await client.connect()
          return await client.query('select 1')
        } catch {
          return false as const
        } finally {
          await client.end()
        }
      })
    },
    async kill() {
      if (child === undefined) throw new Error('start the pooler first')
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
