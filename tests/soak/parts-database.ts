import { type OwnPostgres, hasOwnPostgres, openPostgresPlace } from '../e2e/support/own-postgres.ts'
import { openForwarder } from '../e2e/support/forwarder.ts'
import { until } from '../e2e/support/until.ts'

/** The server of an operator at one address, whichever machine it is on. */
export interface PartsDatabase extends AsyncDisposable {
  readonly url: string
  /** How many connections its clients have. */
  connections: () => Promise<number>
  /** Ends it and starts it again, as for new settings. */
  restart: () => Promise<void>
  /** Kills it once a synchronous standby has all that it has, and promotes that one in its place. */
  failOver: () => Promise<void>
}

const standbyName = 'standby'
const settings = { wal_level: 'replica' }

/** By the programs of a distribution, since those from npm have no base backups. */
export async function openPartsDatabase(): Promise<PartsDatabase> {
  if (!hasOwnPostgres)
    throw new Error('the soak test parts needs PostgreSQL with pg_basebackup: install postgresql')
  await using opened = new AsyncDisposableStack()
  const place = opened.use(await openPostgresPlace())
  const address = opened.use(await openForwarder())
  let server = await place.create('data-0', settings)
  let data = place.pathOf('data-0')
  let made = 0
  const take = (other: OwnPostgres) => {
    server = other
    address.lead(other.port)
  }
  take(server)

  async function openStandby() {
    made += 1
    const folder = place.folder(`data-${made}`)
    const from = `${server.url}?application_name=${standbyName}`
    await place.run('pg_basebackup', '-D', folder, '-d', from, '-R', '--checkpoint=fast')
    const standby = await place.start(folder, settings)
    await server.ask(`alter system set synchronous_standby_names = '${standbyName}'`)
    await server.ask('select pg_reload_conf()')
    const { ask } = server
    await until('the standby is synchronous', async () => {
      const [row] = await ask('select sync_state from pg_stat_replication')
      return row?.['sync_state'] === 'sync'
    })
    return { folder, standby }
  }

  const resources = opened.move()
  return {
    url: place.url(address.port),
    async connections() {
      const [row] = await server.ask(
        `select count(*)::int as n from pg_stat_activity
          where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
      return Number(row?.['n'])
    },
    async restart() {
      await server.stop()
      take(await place.start(data, settings))
    },
    async failOver() {
      const { folder, standby } = await openStandby()
      await server.kill()
      data = folder
      take(standby)
      await place.run('pg_ctl', 'promote', '-D', folder)
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
