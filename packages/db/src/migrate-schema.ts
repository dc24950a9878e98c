import { readFile, readdir } from 'node:fs/promises'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import { sql } from 'kysely'
import { openDatabase } from './database.ts'

const folder = new URL('../migrations/', import.meta.url)

/** Each numbered file of `migrations/`, forward only. */
const provider: MigrationProvider = {
  async getMigrations() {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.sql'))
    const entries = names.map(
      async (name) => [name.slice(0, -4), await readMigration(name)] as const,
    )
    return Object.fromEntries(await Promise.all(entries))
  },
}

async function readMigration(name: string): Promise<Migration> {
  const text = await readFile(new URL(name, folder), 'utf8')
  return { up: async (db) => void (await sql.raw(text).execute(db)) }
}

/** Brings the schema to this version; several at once wait for the first. Throws what the failing file met. */
export async function migrateSchema(url: string): Promise<string[]> {
  const db = openDatabase({ url, poolSize: 1, noStatementTimeout: true, onError: () => undefined })
  try {
    const migrator = new Migrator({ db, provider })
    const { error, results = [] } = await migrator.migrateToLatest()
    if (error) throw error
    return results.map((result) => result.migrationName)
  } finally {
    await db.destroy()
  }
}

/** The newest migration that this version knows. */
export async function newestMigration(): Promise<string> {
  const names = Object.keys(await provider.getMigrations()).toSorted()
  return names.at(-1) ?? ''
}
