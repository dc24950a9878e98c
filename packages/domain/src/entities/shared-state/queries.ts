import type { SharedStateEntry } from '@svc/contracts/context'
import type { Queryable } from '@svc/db/database'
import type { SharedStateRow } from '@svc/db/tables'
import type { MissionRecord } from '../missions/queries.ts'

/** All of it, by key; what a mission holds is bounded. */
export function selectSharedState(db: Queryable, { workspace_id, id }: MissionRecord) {
  return db
    .selectFrom('shared_state as s')
    .leftJoin('users as u', 'u.id', 's.set_by')
    .selectAll('s')
    .select('u.name as set_by_name')
    .where('s.workspace_id', '=', workspace_id)
    .where('s.mission_id', '=', id)
    .orderBy('s.key')
}

export function viewSharedState({
  value,
  ...row
}: SharedStateRow & { set_by_name: string | null }): SharedStateEntry {
  const { set_by_name: name, set_by_role: role } = row
  return {
    key: row.key,
    // only what the contract has read as JSON is written
    value: value as SharedStateEntry['value'],
    revision: row.revision,
    updatedAt: row.updated_at.toISOString(),
    setBy: name === null || role === null ? null : { name, role },
  }
}
