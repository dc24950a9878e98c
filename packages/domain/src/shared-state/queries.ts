import type { SharedStateEntry } from '@svc/contracts/context'
import type { Queryable } from '@svc/db/database'
import type { SharedStateRow } from '@svc/db/tables'
import type { MissionRecord } from '../missions/queries.ts'

/** All of it, by key; what a mission holds is bounded. */
export function selectSharedState(db: Queryable, { workspace_id, id }: MissionRecord) {
  return db
    .selectFrom('shared_state')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .where('mission_id', '=', id)
    .orderBy('key')
}

export function viewSharedState({ value, ...row }: SharedStateRow): SharedStateEntry {
  return {
    key: row.key,
    // only what the contract has read as JSON is written
    value: value as SharedStateEntry['value'],
    revision: row.revision,
    updatedAt: row.updated_at.toISOString(),
  }
}
