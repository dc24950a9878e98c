import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import {
  type DataTable,
  type QueueTables,
  connectForLong,
  listDataTables,
  plainText,
  readVersion,
} from './data-tables.ts'
import { endOfRows, formatVersion, lineOf } from './format.ts'
import { conditionsOf } from './of-workspace.ts'

/** The output of runs. Nothing refers to it: where it is left out, all of it shows as not kept. */
const ofLogs = new Set(['run_log_chunks', 'run_log_sums'])

export interface ExportOptions {
  withoutLogs?: boolean | undefined
  /** The slug of the only one whose rows are written. */
  workspace?: string | undefined
}

/** Writes every row of the service's own as of one moment; the apps may go on. Answers how many rows there were. */
export async function exportRows(
  url: string,
  queue: QueueTables,
  to: Writable,
  options: ExportOptions = {},
): Promise<number> {
  const client = await connectForLong(url)
  try {
    await client.query(plainText)
    await client.query('begin isolation level repeatable read read only')
    const rows: Record<string, number> = {}
    await pipeline(withHash(contents(client, queue, rows, options), rows), createGzip(), to)
    return Object.values(rows).reduce((sum, count) => sum + count, 0)
  } finally {
    await client.end()
  }
}

async function* contents(
  client: pg.Client,
  queue: QueueTables,
  rows: Record<string, number>,
  { withoutLogs = false, workspace }: ExportOptions,
): AsyncGenerator<Buffer> {
  const tables = await listDataTables(client, queue)
  const conditions =
    workspace === undefined
      ? undefined
      : await conditionsOf(client, { tables, queue, slug: workspace })
  const { rows: clock } = await client.query<{ now: string }>('select now()::text as now')
  yield lineOf({
    format: 'svc-export',
    formatVersion,
    takenAt: clock[0]?.now,
    version: await readVersion(client, queue),
    tables: tables.map(({ name }) => name),
  })
  for (const table of tables) {
    yield lineOf({ table: table.name, columns: table.columns })
    const isLeftOut = withoutLogs && ofLogs.has(table.name)
    const condition = isLeftOut ? 'false' : conditions?.get(table.name)
    const copying = client.query(copyTo(copyOf(table, condition)))
    // pg-copy-streams reads bytes; the types of a stream of Node know no more than unknown
    for await (const chunk of copying) yield chunk as Buffer
    rows[table.name] = copying.rowCount
    yield endOfRows
  }
  yield lineOf({ sequences: await readSequences(client) })
}

const copyOf = ({ name, columns }: DataTable, condition = 'true') =>
  `copy (select ${columns.join(', ')} from ${name} where ${condition}) to stdout`

/** Read last: no snapshot holds them back, so each has passed every number that a row has. */
async function readSequences(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; last: string }>(`
    select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
      from pg_sequences where schemaname = 'public' and last_value is not null order by 1`)
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
}

async function* withHash(
  lines: AsyncGenerator<Buffer>,
  rows: Record<string, number>,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const line of lines) {
    hash.update(line)
    yield line
  }
  yield lineOf({ rows, sha256: hash.digest('hex') })
}
