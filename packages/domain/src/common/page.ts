import { isUuid } from '@svc/contracts/ids'
import {
  type Expression,
  type RawBuilder,
  type SelectQueryBuilder,
  type StringReference,
  sql,
} from 'kysely'
import { validationFailed } from './errors.ts'

/** One row more than asked for means that there is a next page; its cursor is the last row given. */
export function pageOf<T>(
  rows: readonly T[],
  limit: number,
  cursorOf: (row: T) => string,
): { items: T[]; nextCursor: { nextCursor?: string } } {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const more = rows.length > limit && last !== undefined
  return { items, nextCursor: more ? { nextCursor: cursorOf(last) } : {} }
}

/** The page that a call asks for, of rows in the order of their ids, newest first; `id` is how the query calls that. */
export async function readPage<DB, TB extends keyof DB, Row extends { id: string }>(
  query: SelectQueryBuilder<DB, TB, Row>,
  id: StringReference<DB, TB>,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<ReturnType<typeof pageOf<Row>>> {
  const before = readCursor(cursor)
  const rest = before ? query.where(sql<boolean>`${sql.ref(id)} < ${before}`) : query
  return pageOf(await rest.limit(limit + 1).execute(), limit, (row) => row.id)
}

/** A page ends with the row that passes this. One row alone is never cut. */
const pageBytes = 5 * 1024 * 1024

/** `found`: the rows that there were before those beyond the size were left out. */
export type Sized<Row> = Row & { found: number }

/** A page of a list that is newest first. */
export interface Page {
  limit: number
  before?: string | undefined
  /** Bytes, where it is not what every page may hold. */
  most?: number | undefined
}

interface Sizing<Row> {
  rows: Expression<Row>
  /** What a row is in bytes, by its columns, of texts that are not read for it. */
  bytes: RawBuilder<unknown>
  order?: RawBuilder<unknown>
  most?: number | undefined
}

/** The sizes are asked for before the texts, so that what is read is bounded before it is. */
export function withinBytes<Row>({
  rows,
  bytes,
  order = sql`id desc`,
  most = pageBytes,
}: Sizing<Row>): RawBuilder<Sized<Row>> {
  return sql`
    with page as materialized (${rows}),
    sized as (
      select page.*, count(*) over () as found,
             sum(${bytes}) over (order by ${order} rows between unbounded preceding and 1 preceding)
               as bytes_before
        from page)
    select * from sized where bytes_before is null or bytes_before < ${most} order by ${order}`
}

/** As `pageOf`, of rows that may end early. */
export function pageOfSized<T extends { found: number }>(
  rows: readonly T[],
  limit: number,
  cursorOf: (row: T) => string,
): { items: T[]; hasMore: boolean; nextCursor: { nextCursor?: string } } {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const hasMore = last !== undefined && last.found > items.length
  return { items, hasMore, nextCursor: hasMore ? { nextCursor: cursorOf(last) } : {} }
}

/** The id that a page goes on from; a cursor that no list gave out is refused. */
export function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined || isUuid(cursor)) return cursor
  throw validationFailed('cursor', 'use the nextCursor of the page before')
}
