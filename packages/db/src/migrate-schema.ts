import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@svc/contracts/errors'
import { sql } from 'kysely'
import { type Database, openDatabase } from './database.ts'
import { earlierDatabase, isEarlier } from './earlier-schema.ts'
import {
  type Migration,
  listMigrations,
  noteOf,
  ownMigrations,
  readMigration,
} from './migrations.ts'

/** Brings the schema to this version; several at once wait for the first. Throws what the failing file met. */
export async function migrateSchema(url: string, folder = ownMigrations): Promise<string[]> {
  const db = openDatabase({ url, poolSize: 1, noStatementTimeout: true, onError: () => undefined })
  try {
    return await db.connection().execute(async (connection) => {
      await lock(connection)
      return applyPending(connection, folder)
    })
  } finally {
    // with the connection ends the lock
    await db.destroy()
  }
}

/** The newest migration that this version knows. */
export async function newestMigration(): Promise<string> {
  return (await listMigrations(ownMigrations)).at(-1) ?? ''
}

/** Refuses a database that only an earlier version reads. One without tables is no such database. */
export async function refuseEarlier(db: Database): Promise<void> {
  const [there] = await ask<{ notes: string | null }>(
    db,
    "select to_regclass('kysely_migration')::text as notes",
  )
  if (typeof there?.notes !== 'string') return
  const rows = await ask<{ name: string }>(db, 'select name from kysely_migration')
  if (isEarlier(rows.map((row) => row.name))) {
    throw new ServiceError('unavailable', earlierDatabase)
  }
}

/** As versions that migrated by Kysely made it. */
const notes = `create table if not exists kysely_migration
  (name varchar(255) primary key, timestamp varchar(255) not null)`

/** The key that versions which migrated by Kysely lock. */
const lockKey = '3853314791062309107'

/** Asked again and again: a statement that waits has a snapshot, and an index that is built waits for all of these. */
async function lock(connection: Database): Promise<void> {
  for (;;) {
    const rows = await ask<{ locked: boolean }>(
      connection,
      `select pg_try_advisory_lock(${lockKey}) as locked`,
    )
    if (rows[0]?.locked === true) return
    await sleep(100)
  }
}

async function applyPending(connection: Database, folder: URL): Promise<string[]> {
  const names = await listMigrations(folder)
  const applied = await listApplied(connection)
  if (isEarlier(applied)) throw new ServiceError('unavailable', earlierDatabase)
  const stranger = applied.find((name, index) => name !== names[index])
  if (stranger !== undefined) {
    throw new ServiceError(
      'unavailable',
      `The database was migrated by another version, with ${stranger}: start that version or a newer one.`,
    )
  }
  const missing = names.slice(applied.length)
  const pending = await Promise.all(missing.map((name) => readMigration(folder, name)))
  if (applied.length === 0) await applyAtOnce(connection, pending)
  else for (const migration of pending) await applySteps(connection, migration)
  return missing
}

async function listApplied(connection: Database): Promise<string[]> {
  await ask(connection, notes)
  const rows = await ask<{ name: string }>(connection, 'select name from kysely_migration')
  return rows.map((row) => row.name).toSorted()
}

/** How a file says that an index is built or dropped while the service works. */
const concurrently = 'index concurrently'

/** In a new database nobody is held up: all is one transaction, in which nothing is done concurrently. */
async function applyAtOnce(connection: Database, migrations: readonly Migration[]) {
  const texts = migrations.flatMap(({ name, steps }) => [...steps, noteOf(name)])
  await ask(connection, texts.join('\n').replaceAll(concurrently, 'index'))
}

async function applySteps(connection: Database, { name, steps }: Migration): Promise<void> {
  const last = steps.at(-1) ?? ''
  for (const index of await listUnfinished(connection, steps)) {
    await send(connection, `drop ${concurrently} "${index}"`)
  }
  for (const step of steps.slice(0, -1)) await send(connection, step)
  await send(connection, `${last}\n${noteOf(name)}`)
}

/** What is done while the service works waits for every transaction that is open, and holds nobody up meanwhile. */
async function send(connection: Database, step: string): Promise<void> {
  const isConcurrent = step.includes(concurrently)
  await ask(connection, isConcurrent ? 'set lock_timeout = 0' : 'reset lock_timeout')
  await ask(connection, step)
}

/** Those of these steps whose building died: each keeps its name, and is used by nobody. */
async function listUnfinished(connection: Database, steps: readonly string[]): Promise<string[]> {
  const rows = await ask<{ name: string }>(
    connection,
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where not i.indisvalid and pg_table_is_visible(c.oid)`,
  )
  const text = steps.join('\n')
  return rows.map((row) => row.name).filter((name) => text.includes(name))
}

async function ask<Row = unknown>(connection: Database, text: string): Promise<Row[]> {
  const { rows } = await sql.raw<Row>(text).execute(connection)
  return rows
}
