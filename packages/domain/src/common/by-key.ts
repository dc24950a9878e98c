import type { Tables } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'

export interface Key {
  workspace_id: string
  id: string
}

/** The tables whose rows have such a key. */
export type Keyed = {
  [T in keyof Tables]: Tables[T] extends Key ? T : never
}[keyof Tables]

interface Wanted {
  /** A further condition on `t`, the row. */
  where?: RawBuilder<unknown>
  /** How the rows found are locked, in order of id. */
  lock?: RawBuilder<unknown>
}

/**
 * The rows of a table that have these keys, as something to select from, each once and with its `row_ctid`. One look-up by
 * the whole key for each, which the offset keeps: of a join the planner may make one that reads every row of a
 * workspace and compares its id. The limit tells a plan that is kept for any number of keys to expect few; so what is
 * then written is found by its place, however small the table was when the plan was made.
 */
export function byKey(
  table: Keyed,
  keys: readonly Key[],
  { where = sql`true`, lock = sql`` }: Wanted = {},
): RawBuilder<unknown> {
  return sql`(
    select found.*
      from (select distinct id, workspace_id
              from unnest(${keys.map((key) => key.workspace_id)}::uuid[],
                          ${keys.map((key) => key.id)}::uuid[]) as given(workspace_id, id)
             order by id limit ${keys.length}::int) named
     cross join lateral (
       select t.ctid as row_ctid, t.* from ${sql.table(table)} t
        where t.workspace_id = named.workspace_id and t.id = named.id and ${where}
       offset 0 ${lock}) found)`
}
