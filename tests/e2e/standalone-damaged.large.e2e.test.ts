import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '@svc/embedded-postgres/start'
import pg from 'pg'
import { expect, test } from 'vitest'
import { type App, createApp } from './support/app.ts'

test('the standalone app on a database with a damaged page says so in one sentence and ends', async () => {
  await using app = await createApp()
  const first = app.start('--once')
  expect(await first.ended).toEqual({ code: 0, signal: null })
  for (const table of ['missions', 'kysely_migration']) {
    await damage(app, table)
    const started = app.start('--once')
    expect((await started.ended).code).toBe(1)
    expect(started.output()).toMatch(
      /^svc: The database is damaged.*: restore it from a backup.*\n$/m,
    )
    expect(started.output()).not.toContain('"level"')
    await expect.poll(() => app.processes()).toEqual([])
  }
})

/** Overwrites the first page of the table while no server runs. */
async function damage(app: App, table: string): Promise<void> {
  const server = await startPostgres({ folder: join(app.data, 'postgres') })
  const client = new pg.Client(server.connectionString)
  await client.connect()
  const { rows } = await client.query(`select pg_relation_filepath('${table}') as path`)
  await client.end()
  await server.stop()
  const file = openSync(join(server.location, 'cluster', 'data', rows[0].path), 'r+')
  writeSync(file, Buffer.alloc(8192, 0x5a))
  closeSync(file)
}
