import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'

/** The folder of our own. */
export const ownMigrations = new URL('../migrations/', import.meta.url)

/**
 * A file is one transaction. Lines `-- next step` cut it into steps that are sent one by one, outside of a transaction,
 * each safe to repeat: a file that was not finished begins anew. Its last step is one transaction with the note that
 * the file is applied. What `before/` has under its name goes ahead of it: a migration that a database may have taken stays
 * as it is, and a server that it was not tried on may need more.
 */
export interface Migration {
  name: string
  steps: string[]
}

/** Each numbered file, forward only. */
export async function listMigrations(folder: URL): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql'))
  return names.map((name) => name.slice(0, -'.sql'.length)).toSorted()
}

export async function readMigration(folder: URL, name: string): Promise<Migration> {
  const before = new URL(`before/${name}.sql`, folder)
  const texts = [...(existsSync(before) ? [before] : []), new URL(`${name}.sql`, folder)]
  const read = await Promise.all(texts.map((text) => readFile(text, 'utf8')))
  return { name, steps: read.flatMap((text) => text.split(/^-- next step$/m)) }
}

/** Notes in the table of applied files, which is Kysely's, that this one is. */
export const noteOf = (name: string) =>
  `insert into kysely_migration values ('${name}',
     to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));`
