import { type RawBuilder, sql } from 'kysely'
import type { Keyed } from './by-key.ts'

interface Wanted {
  /** The row of this statement whose column `id` names it; both are of one workspace. */
  of: string
  id: string
  /** A further condition on `t`, the row that is looked up. */
  where?: RawBuilder<unknown>
}

/**
 * The one row of a table that another row names, to be joined as `as`. The offset keeps one look-up by the whole key for
 * each: of joins the planner may make one that reads all rows of a workspace for each row, and does where a table has grown
 * since its statistics were made.
 */
export function lookUp(
  table: Keyed,
  as: string,
  { of, id, where = sql`true` }: Wanted,
): RawBuilder<unknown> {
  return sql`lateral (
    select t.* from ${sql.table(table)} t
     where t.workspace_id = ${sql.ref(`${of}.workspace_id`)} and t.id = ${sql.ref(`${of}.${id}`)} and ${where}
    offset 0) ${sql.id(as)}`
}
