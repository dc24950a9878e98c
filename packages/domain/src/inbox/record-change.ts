import type { InboxItemRow } from '@svc/db/tables'
import { recordChange } from '../commit/records.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** A change of the item itself, for its owner's own live feed; it is none of the mission that it was turned into. */
export function recordItemChange(
  tx: UnitOfWork,
  { workspace_id, id, user_id, done_at, revision }: InboxItemRow,
  operation: 'create' | 'update' | 'turn' | 'delete',
): void {
  recordChange(tx, { inbox_item: { workspace_id, id, user_id, done_at, revision } }, operation)
}
