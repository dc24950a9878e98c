import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { waitUntilGone } from './process-identity.ts'
import type { EmbeddedPostgres } from './start.ts'
import { query, serverIn, useDatabaseFolder } from './testing/server.ts'

const isRoot = process.getuid?.() === 0
const { start } = useDatabaseFolder()

/** Writes rows, kills the server with -9 and waits until it is seen to be closed. */
async function killAfterWriting(server: EmbeddedPostgres): Promise<void> {
  await query(server, 'create table kept (n int)')
  await query(server, 'insert into kept select generate_series(1, 1000)')
  process.kill(server.pid, 'SIGKILL')
  await server.closed
  await server.stop()
}

describe('a start', () => {
  test(
    'makes a database that answers over its socket only, with durable settings in UTC',
    { tags: 'large' },
    async () => {
      const server = await start()
      const settings = [
        'fsync',
        'synchronous_commit',
        'full_page_writes',
        'TimeZone',
        'jit',
        'listen_addresses',
      ]
      const values = settings.map((name) => `current_setting('${name}')`).join(', ')
      expect(await query(server, `select ${values}`)).toEqual([
        ['on', 'on', 'on', 'UTC', 'off', ''],
      ])
      expect(statSync(server.connection.host).mode & 0o777).toBe(isRoot ? 0o770 : 0o700)
    },
  )

  test('gives a connection string that pg understands', { tags: 'large' }, async () => {
    const server = await start()
    const client = new pg.Client({ connectionString: server.connectionString })
    await client.connect()
    const { rows } = await client.query(
      'select current_user as user, current_database() as database',
    )
    await client.end()
    expect(rows).toEqual([{ user: 'svc', database: 'svc' }])
  })

  test('gives the server none of our environment', async () => {
    process.env.EMBEDDED_POSTGRES_SECRET = 'do not tell'
    const server = await start()
    delete process.env.EMBEDDED_POSTGRES_SECRET
    expect(readFileSync(`/proc/${server.pid}/environ`, 'utf8')).not.toContain('do not tell')
  })
})

describe.runIf(isRoot)('another process of the user that root lets the server run as', () => {
  /** Whether it finds the server's socket, which is open to whoever does, and its data. */
  const finds = (server: EmbeddedPostgres, gid?: number) => {
    const { uid } = statSync(join(server.location, 'cluster', 'data'))
    expect(uid).not.toBe(0)
    const paths = [
      join(server.connection.host, '.s.PGSQL.5432'),
      join(server.location, 'cluster/data'),
    ]
    const look = (path: string) =>
      spawnSync('/bin/sh', ['-c', '[ -e "$1" ]', 'sh', path], { cwd: '/', uid, gid }).status === 0
    return paths.map(look)
  }
  const nogroup = 65_534

  test('reaches neither its socket nor its data', async () => {
    const server = await start()
    expect(finds(server, statSync(server.connection.host).gid)).toEqual([true, true])
    expect(finds(server, nogroup)).toEqual([false, false])
  })

  test('reaches them no more where it did', { tags: 'large' }, async () => {
    const before = await start()
    await before.stop()
    const { uid } = statSync(join(before.location, 'cluster', 'data'))
    const own = ['cluster', 'cluster/data'].map((name) => join(before.location, name))
    for (const folder of [...own, before.connection.host]) {
      chownSync(folder, uid, nogroup)
      chmodSync(folder, 0o700)
    }
    const after = await start()
    expect(await query(after, 'select 1')).toEqual([[1]])
    expect(finds(after, nogroup)).toEqual([false, false])
  })
})

describe('data', { tags: 'large' }, () => {
  test('survives stop and start', async () => {
    const first = await start()
    await query(first, 'create table stopped as select generate_series(1, 10) as n')
    await first.stop()
    expect(await query(await start(), 'select count(*)::int from stopped')).toEqual([[10]])
  })

  test('survives kill -9 of the server', async () => {
    await killAfterWriting(await start())
    const second = await start()
    expect(second.adopted).toBe(false)
    expect(await query(second, 'select count(*)::int from kept')).toEqual([[1000]])
  })
})

test(
  'stop ends the server and its processes, and may be called again',
  { tags: 'large' },
  async () => {
    const server = await start()
    const identity = serverIn(server.location)
    await Promise.all([server.stop(), server.stop()])
    await server.stop()
    await server.closed
    expect(identity && (await waitUntilGone(identity, 0))).toBe(true)
  },
)
