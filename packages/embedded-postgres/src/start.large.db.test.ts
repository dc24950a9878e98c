import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { connect, query, useDatabaseFolder } from './testing/server.ts'

const isRoot = process.getuid?.() === 0
const { path, start } = useDatabaseFolder()

describe('a start', () => {
  test('works in a path that is too long for a socket', async () => {
    const server = await start({ at: path('x'.repeat(60), 'y'.repeat(60)) })
    expect(await query(server, 'select 1')).toEqual([[1]])
    expect(Buffer.byteLength(server.connection.host)).toBeLessThan(90)
    rmSync(server.connection.host, { recursive: true, force: true })
  })

  test.runIf(isRoot)('as root works in a folder that only root can enter', async () => {
    const closed = path('closed')
    mkdirSync(closed, { mode: 0o700 })
    const server = await start({ at: join(closed, 'database') })
    expect(await query(server, 'select 1')).toEqual([[1]])
    expect(server.location).toMatch(/^\/var\/lib\/svc\//)
    await server.stop()
    rmSync(server.location, { recursive: true })
  })
})

describe('data', () => {
  test('survives kill -9 of the server while a backend computes and does not notice', async () => {
    const first = await start()
    const busy = await connect(first)
    const { rows } = await busy.query<{ pid: number }>('select pg_backend_pid() as pid')
    const computing = busy
      .query('select count(*) from generate_series(1, 100000000000) n')
      .catch(() => 'cut')
    await expect
      .poll(() =>
        query(
          first,
          "select state from pg_stat_activity where query like '%100000000000%' and pid <> pg_backend_pid()",
        ),
      )
      .toEqual([['active']])
    process.kill(first.pid, 'SIGKILL')
    await first.closed
    expect(existsSync(`/proc/${rows[0]?.pid}`)).toBe(true)
    await first.stop()
    expect(await computing).toBe('cut')
    expect(await query(await start(), 'select 1')).toEqual([[1]])
  })

  test('is made anew by the start after one that was interrupted while making it', async () => {
    const first = await start()
    await first.stop()
    const cluster = join(first.location, 'cluster')
    renameSync(join(cluster, 'data'), join(cluster, 'data.kept'))
    mkdirSync(join(cluster, 'data.init'))
    writeFileSync(join(cluster, 'data.init', 'PG_VERSION'), '18')
    const second = await start()
    expect(await query(second, 'select 1')).toEqual([[1]])
    await second.stop()
    rmSync(join(cluster, 'data'), { recursive: true })
    renameSync(join(cluster, 'data.kept'), join(cluster, 'data'))
  })
})
