import type { Queryable } from '@svc/db/database'
import { sql } from 'kysely'

/** What may differ between the rows of two projects in which the same was done: ids, times, keys and the like. */
const different: readonly [RegExp, string][] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id'],
  [/\d{4}-\d\d-\d\d[T ][\d:.]+(Z|[+-][\d:]+)?/g, 'time'],
  [/project-\d+(:\d+)?(\.\w+)?/g, 'name'],
  [/\\\\x[0-9a-f]+/g, 'bytes'],
  [/sess_[\w-]+|test\.[\w-]{43}/g, 'secret'],
  // of the key that a call came with
  [/\b[0-9a-f]{32}\b/g, 'digest'],
]

/**
 * Columns without a meaning of their own: the position of a row among all rows, and the letters of an objective. And how long a
 * run took, which is a second more on a slow machine; that it is counted once the invariants say.
 */
const leftOut = new Set(['seq', 'sequence', 'xid', 'key', 'seconds', 'used_seconds'])

/** What stays the same when the same is done in another project. In what order an object names its parts is no matter. */
export function alike(value: unknown): string {
  const text = JSON.stringify(value, (name, part: unknown) =>
    leftOut.has(name) ? undefined : inOrder(part),
  )
  return different.reduce((so, [pattern, name]) => so.replaceAll(pattern, name), text ?? '')
}

function inOrder(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
  const entries = Object.entries(part)
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** All rows of one project in whatever table, in no order: equal for two projects in which the same was done. */
export async function effectsIn(db: Queryable, projectId: string): Promise<string[]> {
  const { rows } = await sql<{ table: string; row: object }>`
    ${sql.join((await tablesOf(db)).map(selectRows(projectId)), sql` union all `)}`.execute(db)
  return rows.map(({ table, row }) => `${table} ${alike(row)}`).toSorted()
}

interface Table {
  name: string
  columns: string[]
}

let known: Table[] | undefined
async function tablesOf(db: Queryable): Promise<Table[]> {
  if (known) return known
  const { rows } = await sql<Table>`
    select c.table_name as name, array_agg(c.column_name::text) as columns
      from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
       and c.column_name in ('project_id', 'mission_id')
     group by c.table_name order by c.table_name`.execute(db)
  return (known = rows)
}

const selectRows =
  (projectId: string) =>
  ({ name, columns }: Table) => {
    const conditions = columns.map((column) =>
      column === 'project_id'
        ? sql`t.project_id = ${projectId}`
        : sql`t.mission_id in (select id from missions where project_id = ${projectId})`,
    )
    return sql`
    select ${name}::text as "table", to_jsonb(t) as "row" from ${sql.table(name)} t
     where ${sql.join(conditions, sql` or `)}`
  }
