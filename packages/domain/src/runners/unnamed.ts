import { type RawBuilder, sql } from 'kysely'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/**
 * Looked for in the order of an index that begins with the runner: a join would be planned to read all that the workspace has,
 * and a search without an order to read the table until the first row, of which there may be none.
 */
const isNamedIn = (
  table: 'execution_requests' | 'mission_branches' | 'reserved_branches',
  runner: RawBuilder<unknown>,
  only = sql`true`,
) =>
  sql<boolean>`exists (select from ${sql.table(table)} n
               where n.workspace_id = ${runner}.workspace_id
                 and n.runner_id between ${runner}.id and ${runner}.id and ${only}
               order by n.runner_id limit 1 offset 0)`

/** Whether a branch names this runner, or a run `n` of those that count. */
export const isNamed = (runner: RawBuilder<unknown>, counts = sql`true`) =>
  sql<boolean>`(${isNamedIn('execution_requests', runner, counts)}
    or ${isNamedIn('mission_branches', runner)} or ${isNamedIn('reserved_branches', runner)})`

/** One that is back in the queue names the runner that had it until another takes it, of which nobody is told. */
const isNotQueued = sql`n.status <> 'queued'`

/**
 * Notes of those of these runners that were there for one launch alone and have gone that nothing names them from now on, where
 * that is so or will be. The table of retention takes them away some time later, once nothing names them at all.
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
       and not ${isNamed(sql`r`, isNotQueued)}`.execute(tx)
}
