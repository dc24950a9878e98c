import { type RawBuilder, sql } from 'kysely'
import { newId } from '../common/ids.ts'
import { recordChange } from '../commit/records.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** An entry that tells of what went with it. */
export interface Pruned {
  workspace_id: string
  id: string
  purged: number
}

/**
 * Takes the oldest entries of a workspace away, a batch at most. The database does so as this entry is added
 * (`app.prune_audit_trail`), and it alone may; where another process is at it, there is neither.
 */
export function pruningAudit(workspaceId: string, days: number): RawBuilder<Pruned> {
  return sql`
    insert into audit_trail (workspace_id, id, action, target_id, details)
    select ${workspaceId}::uuid, ${newId()}::uuid, 'audit.pruned', ${workspaceId}::uuid,
           jsonb_build_object('keptDays', ${days}::int)
     where exists (
       select from audit_trail
        where workspace_id = ${workspaceId} and created_at < app.audit_kept_since(${days}))
    returning workspace_id, id, (details->>'removed')::int as purged`
}

export function recordPruning(tx: UnitOfWork, { workspace_id, id }: Pruned): void {
  recordChange(tx, { audit_entry: { workspace_id, id, project_id: null } }, 'audit.pruned')
}
