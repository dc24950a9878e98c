import pg from 'pg'
import { TransferError } from './format.ts'

/** A table whose rows are the service's own, as the catalog has it. */
export interface DataTable {
  /** As it is written in a statement. */
  name: string
  /** Those that are stored as they are given, written likewise. */
  columns: string[]
}

/**
 * What the job queue keeps apart from the schema: the table of its jobs, which says by this expression what workspace each
 * is of, and the one that says which version it is of.
 */
export interface QueueTables {
  jobs: string
  workspaceOfJob: string
  version: string
}

/** All tables of the schema, each after those that it refers to, and the jobs that wait for their time. */
export async function listDataTables(
  client: pg.ClientBase,
  { jobs }: QueueTables,
): Promise<DataTable[]> {
  if (!(await isMigrated(client, jobs))) {
    throw new TransferError('The database has no tables of svc: run svc-admin migrate first.')
  }
  const { rows } = await client.query<DataTable & { refersTo: string[] }>(
    `
    select c.oid::regclass::text as name,
           array(select quote_ident(a.attname) from pg_attribute a
                  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                  order by a.attnum) as columns,
           array(select distinct f.confrelid::regclass::text from pg_constraint f
                  where f.contype = 'f' and f.conrelid = c.oid and f.confrelid <> c.oid) as "refersTo"
      from pg_class c
     where c.relkind in ('r', 'p') and not c.relispartition
       and (c.relnamespace = 'public'::regnamespace and c.relname not like 'kysely%'
            or c.oid = $1::regclass)
     order by 1`,
    [jobs],
  )
  return inOrder(rows)
}

async function isMigrated(client: pg.ClientBase, jobs: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('kysely_migration') is not null and to_regclass($1) is not null as there`,
    [jobs],
  )
  return rows[0]?.there === true
}

function inOrder(tables: readonly (DataTable & { refersTo: string[] })[]): DataTable[] {
  const names = new Set(tables.map(({ name }) => name))
  const ordered: DataTable[] = []
  const placed = new Set<string>()
  let left = [...tables]
  while (left.length > 0) {
    const next = left.filter(({ refersTo }) =>
      refersTo.every((one) => placed.has(one) || !names.has(one)),
    )
    if (next.length === 0) {
      throw new Error(
        `these tables refer to each other: ${left.map(({ name }) => name).join(', ')}`,
      )
    }
    for (const { name, columns } of next) {
      placed.add(name)
      ordered.push({ name, columns })
    }
    left = left.filter(({ name }) => !placed.has(name))
  }
  return ordered
}

/** What two databases have in common whose rows fit each other. */
export async function readVersion(client: pg.ClientBase, queue: QueueTables): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select name from kysely_migration
    union all select 'job queue ' || version from ${queue.version} order by 1`)
  return rows.map(({ name }) => name)
}

/** The text of a value is the same whatever the server or the role has set. */
export const plainText = `
  set datestyle = iso; set intervalstyle = postgres; set timezone = utc; set bytea_output = hex;
  set extra_float_digits = 1; set client_encoding = utf8`

/** A connection for as long as it takes: there may be much. */
export async function connectForLong(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
  })
  // one that breaks in use fails its query; without a listener it would end the process as well
  client.on('error', () => undefined)
  await client.connect()
  return client
}
