import type { Database } from '@svc/db/database'
import { CompiledQuery, sql } from 'kysely'
import type { Sent } from './sent.ts'

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Node[]
}

/** How a statement reads one table. */
export interface Access {
  table: string
  /** null: all of it, row by row */
  index: string | null
  condition: string
}

type Asked = Pick<Database, 'executeQuery'>

/** What each statement reads by a plan for the values that it came with. */
export function accessesOf(
  db: Database,
  { text, values }: Sent,
  byIndexes: boolean,
): Promise<Access[]> {
  return db.transaction().execute(async (tx) => {
    if (byIndexes) await readByIndexes.execute(tx)
    return explained(tx, CompiledQuery.raw(`explain (format json) ${text}`, [...values]))
  })
}

const readByIndexes = sql`set local enable_seqscan = off`

/**
 * What each statement reads by a plan for any values, as the server keeps it for statements that recur.
 * `withoutStatistics`: nothing was analysed yet.
 */
export async function keptAccessesOf(
  db: Database,
  statements: readonly Sent[],
  { withoutStatistics, byIndexes }: { withoutStatistics: boolean; byIndexes: boolean },
): Promise<Access[][]> {
  const tx = await db.startTransaction().execute()
  try {
    await sql`set local plan_cache_mode = force_generic_plan`.execute(tx)
    if (byIndexes) await readByIndexes.execute(tx)
    if (withoutStatistics) {
      await sql`delete from pg_statistic`.execute(tx)
      await sql`update pg_class set reltuples = -1, relpages = 0 where oid >= 16384`.execute(tx)
    }
    const found: Access[][] = []
    for (const { text } of statements) found.push(await keptOf(tx, text))
    return found
  } finally {
    await tx.rollback().execute()
  }
}

async function keptOf(tx: Asked, text: string): Promise<Access[]> {
  const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n))
  const nulls = Array.from({ length: Math.max(0, ...numbers) }, () => 'null')
  const values = nulls.length > 0 ? `(${nulls.join(', ')})` : ''
  await tx.executeQuery(CompiledQuery.raw(`prepare kept as ${text}`))
  const found = await explained(
    tx,
    CompiledQuery.raw(`explain (format json) execute kept${values}`),
  )
  await tx.executeQuery(CompiledQuery.raw('deallocate kept'))
  return found
}

async function explained(db: Asked, explain: CompiledQuery): Promise<Access[]> {
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': { Plan: Node }[] }>(explain)
  return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => walk(Plan, undefined)))
}

function walk(node: Node, table: string | undefined): Access[] {
  const relation = node['Relation Name'] ?? table
  const deeper = (node.Plans ?? []).flatMap((plan) =>
    walk(plan, node['Node Type'] === 'Bitmap Heap Scan' ? relation : undefined),
  )
  if (relation === undefined || !node['Node Type'].endsWith('Scan')) return deeper
  // by their places, or by an index below it
  if (/^(Tid|Bitmap Heap) Scan$/.test(node['Node Type'])) return deeper
  const index = node['Index Name'] ?? null
  return [{ table: relation, index, condition: node['Index Cond'] ?? '' }, ...deeper]
}

/** The columns of each index, in their order; an expression has no name. */
export async function indexColumns(db: Database): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select c.relname as name,
           array(select coalesce(a.attname, '')::text
                   from unnest(i.indkey::int[]) with ordinality as k(number, place)
                   left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
                  order by k.place) as columns
      from pg_index i join pg_class c on c.oid = i.indexrelid`.execute(db)
  return new Map(rows.map((row) => [row.name, row.columns]))
}
