import { sql } from 'kysely'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/**
 * Looked for in the order of an index that begins with the runner: a join would be planned to read all that the workspace has,
 * and a search without an order to read the table until the first row, of which there may be none.
 */
const isNamedIn = (table: 'execution_requests' | 'mission_branches' | 'reserved_branches') =>
  sql`exists (select from ${sql.table(table)} n
               where n.workspace_id = r.workspace_id and n.runner_id between r.id and r.id
               order by n.runner_id limit 1 offset 0)`

/**
 * Notes of those of these runners that were there for one launch alone and have gone that nothing names them from now on, where
 * that is so. The table of retention takes them away some time later.
 */
export async function noteUnnamed(
  tx: UnitOfWork,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update runners r set unnamed_since = app.now()
     where r.workspace_id = ${workspaceId} and r.id = any(${ids})
       and r.ephemeral and r.removed_at is not null and r.unnamed_since is null
       and not ${isNamedIn('execution_requests')}
       and not ${isNamedIn('mission_branches')}
       and not ${isNamedIn('reserved_branches')}`.execute(tx)
}
