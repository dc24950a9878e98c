import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Queryable } from './database.ts'
import { byteColumns, timeColumns } from './tables.ts'

export type Queries = Record<string, Expression<unknown>>
export type Gathered<Q extends Queries> = {
  [Name in keyof Q]: Q[Name] extends Expression<infer Row> ? Row[] : never
}

/**
 * Several reads in one statement, which see the same moment: the rows of each under its name. Rows travel as JSON;
 * times and bytes are known by the names of their columns, so that a column is selected by its own name. All may use
 * the `common` table expression.
 */
export async function gather<Q extends Queries>(
  db: Queryable,
  queries: Q,
  common?: RawBuilder<unknown>,
): Promise<Gathered<Q>> {
  const columns = Object.entries(queries).map(
    ([name, query]) =>
      sql`(select coalesce(json_agg(q), '[]') from (${query}) as q) as ${sql.id(name)}`,
  )
  const given = common ? sql`with ${common}` : sql``
  const { rows } = await sql<Record<string, Row[]>>`${given} select ${sql.join(columns)}`.execute(
    db,
  )
  const [found = {}] = rows
  // each column holds what its own query answers
  return Object.fromEntries(
    Object.entries(found).map(([name, list]) => [name, list.map(rowOfJson)]),
  ) as never
}

type Row = Record<string, unknown>

/** A row that came as JSON, or as a part of one. */
export function rowOfJson<R extends object>(json: object): R {
  const row: Row = { ...json }
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== 'string') continue
    if (timeColumns.has(name)) row[name] = new Date(value)
    else if (byteColumns.has(name)) row[name] = Buffer.from(value.slice(2), 'hex')
  }
  // the statement says which columns there are
  return row as R
}
