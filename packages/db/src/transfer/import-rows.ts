import { createReadStream } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { z } from 'zod'
import type { Tx } from '../database.ts'
import { asOneFile, earlierDatabase, earlierExport, isEarlier } from '../earlier-schema.ts'
import type { Tables } from '../tables.ts'
import {
  type DataTable,
  type QueueTables,
  connectForLong,
  listDataTables,
  plainText,
  readVersion,
} from './data-tables.ts'
import {
  type ExportReader,
  Header,
  Sequences,
  TableStart,
  TransferError,
  damaged,
  formatVersion,
  readExport,
} from './format.ts'
import { additionsSince, statementsFor } from './additions.ts'
import { renamedTable, renamedTableName, renamedVersion } from './renamed.ts'

export interface ImportOptions {
  queue: QueueTables
  settle: (tx: Tx) => Promise<void>
}

/**
 * Loads an export into a database of the same version that holds nothing yet, in one transaction: all of it is there
 * afterwards, or nothing. What was exported before tables and columns got their names of today is loaded by these, and what
 * was added since begins as it does in a migration. `settle` is called in it, with every row in place. Answers how many rows
 * there are.
 */
export async function importRows(
  url: string,
  file: string,
  { queue, settle }: ImportOptions,
): Promise<number> {
  await access(file, constants.R_OK).catch((error: unknown) => {
    throw new TransferError(
      `${file} cannot be read: name the file that the export was written to.`,
      {
        cause: error,
      },
    )
  })
  // before anything waits for it or is locked: a damaged file is reported as one, and not as what PostgreSQL makes of it
  await loadFrom(file, async ({ rows }) => {
    let lines = 0
    for await (const chunk of rows) for (const byte of chunk) if (byte === newline) lines += 1
    return lines
  })
  const client = await connectForLong(url)
  try {
    await client.query(plainText)
    await client.query('begin')
    const count = await load(client, file, { queue, settle }).catch(explainConstraint)
    await client.query('commit')
    await client.query('analyze')
    return count
  } finally {
    await client.end() // what was not committed is undone by it
  }
}

async function load(
  client: pg.Client,
  file: string,
  { queue, settle }: ImportOptions,
): Promise<number> {
  const tables = await listDataTables(client, queue)
  const version = await readVersion(client, queue)
  if (isEarlier(version)) throw new TransferError(earlierDatabase)
  await lockEmpty(client, tables)
  const triggers = await listTriggers(client)
  for (const { table, name } of triggers) {
    await client.query(`alter table ${table} disable trigger ${name}`)
  }
  let additions: string[] = []
  /** Whether the export has all of these, and no others, but for what was added since. */
  const fits = (own: readonly string[], given: readonly string[]) =>
    additions.length === 0 ? isSameSet(own, given) : given.every((one) => own.includes(one))
  const { count, sequences } = await loadFrom(
    file,
    async ({ table, rows }) => {
      const from = renamedTable({ name: table.table, columns: table.columns })
      const into = tables.find(({ name }) => name === from.name)
      if (!into || !fits(into.columns, from.columns)) throw otherVersion(table.table)
      const copying = client.query(
        copyFrom(`copy ${into.name} (${from.columns.join(', ')}) from stdin`),
      )
      await pipeline(rows, copying)
      return copying.rowCount
    },
    ({ version: written, tables: named }) => {
      const oneFile = asOneFile(written)
      if (isEarlier(oneFile)) throw new TransferError(earlierExport)
      const renamed = renamedVersion(oneFile)
      additions = additionsSince(renamed, version)
      const of = [...renamed, ...additions]
      const difference =
        of.find((one) => !version.includes(one)) ?? version.find((one) => !of.includes(one))
      if (difference !== undefined) throw otherVersion(difference)
      const own = tables.map(({ name }) => name)
      if (!fits(own, named.map(renamedTableName))) throw otherVersion('other tables')
    },
  )
  for (const addition of additions) {
    const ofRows = await statementsFor(addition)
    if (ofRows !== undefined) await client.query(ofRows)
  }
  await client.query('set constraints all immediate')
  await settle(transactionOn(client))
  for (const { table, name } of triggers) {
    await client.query(`alter table ${table} enable trigger ${name}`)
  }
  for (const [name, last] of Object.entries(sequences)) {
    await client.query('select setval($1::regclass, $2)', [name, last])
  }
  return count
}

/** Only a file that was made by hand, or from a database whose constraints had been taken away. */
function explainConstraint(error: unknown): never {
  if (!(error instanceof pg.DatabaseError) || !error.code?.startsWith('23')) throw error
  throw new TransferError(
    `The rows of this export do not fit together (${error.message}): nothing was imported. Repair what it was taken from, and export anew.`,
    { cause: error },
  )
}

/** Nobody writes meanwhile. The tables of one row have it from the migration, and it gives way. */
async function lockEmpty(client: pg.Client, tables: readonly DataTable[]): Promise<void> {
  await client.query("set local lock_timeout = '5s'")
  const names = tables.map(({ name }) => name)
  await client.query(`lock table ${names.join(', ')} in access exclusive mode`).catch((error) => {
    throw new TransferError(
      'Something else is at work in this database: stop the apps that use it, then send it again.',
      { cause: error },
    )
  })
  const single = tables.filter(({ columns }) => columns.includes('single'))
  const filled: string[] = []
  for (const { name } of tables.filter((table) => !single.includes(table))) {
    const { rowCount } = await client.query(`select from ${name} limit 1`)
    if (rowCount !== 0) filled.push(name)
  }
  if (filled.length > 0) {
    throw new TransferError(
      `This database holds rows already (${filled.slice(0, 3).join(', ')}): an import goes into an empty one. Make a new database, bring it to this version with svc-admin migrate, and import there.`,
    )
  }
  for (const { name } of single) await client.query(`delete from ${name}`)
}

const newline = 0x0a

/** What a row that comes leads to has come with the others. Constraints are no such triggers, and hold. */
async function listTriggers(client: pg.Client): Promise<{ table: string; name: string }[]> {
  const { rows } = await client.query<{ table: string; name: string }>(`
    select t.tgrelid::regclass::text as table, quote_ident(t.tgname) as name
      from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and t.tgenabled = 'O' and t.tgparentid = 0
       and c.relnamespace = 'public'::regnamespace
     order by 1, 2`)
  return rows
}

function otherVersion(difference: string): TransferError {
  return new TransferError(
    `The export is of another version than this database (${difference}): run svc-admin migrate on both, with the same version of svc, then export and import anew with it.`,
  )
}

type Load = (part: {
  table: z.infer<typeof TableStart>
  rows: AsyncGenerator<Buffer>
}) => Promise<number>

/** Reads the file to its end. Whatever it holds has been compared with what it says of itself. */
async function loadFrom(
  file: string,
  loadTable: Load,
  check: (header: z.infer<typeof Header>) => void = () => undefined,
): Promise<{ count: number; sequences: Record<string, string> }> {
  const plain = createReadStream(file).on('error', (error) => unzipped.destroy(error))
  const unzipped = plain.pipe(createGunzip())
  try {
    return await readWhole(readExport(unzipped), loadTable, check)
  } finally {
    plain.destroy()
    unzipped.destroy()
  }
}

async function readWhole(
  reader: ExportReader,
  loadTable: Load,
  check: (header: z.infer<typeof Header>) => void,
): Promise<{ count: number; sequences: Record<string, string> }> {
  const header = await reader.line(Header)
  if (header.formatVersion !== formatVersion) throw otherVersion(`format ${header.formatVersion}`)
  check(header)
  const loaded = new Map<string, number>()
  for (const name of header.tables) {
    const table = await reader.line(TableStart)
    if (table.table !== name) throw damaged(`${name} is missing`)
    loaded.set(name, await loadTable({ table, rows: reader.rows() }))
  }
  const { sequences } = await reader.line(Sequences)
  const { rows } = await reader.trailer()
  const other = header.tables.find((name) => loaded.get(name) !== rows[name])
  if (other !== undefined) throw damaged(`${other} has another number of rows`)
  return { count: [...loaded.values()].reduce((sum, one) => sum + one, 0), sequences }
}

/** For whom writes in the words of Kysely. */
function transactionOn(client: pg.Client): Tx {
  const connection = {
    query: (text: string, values: unknown[]) => client.query(text, values),
    release: () => undefined,
  }
  const pool = { connect: async () => connection, end: async () => undefined }
  // Kysely only calls what a connection has
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: pool as unknown as PostgresPool }),
  }) as unknown as Tx
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join() === other.toSorted().join()
}
