import type { Tx } from '@svc/db/database'
import { recordChange } from '../commit/records.ts'
import type { ObjectiveInMission } from '../entities/objectives/queries.ts'

export function recordAttachmentChange(
  tx: Tx,
  { mission, objective }: ObjectiveInMission,
  data: { attachmentId: string; name: string; deleted?: true },
): void {
  recordChange(tx, { objective, mission }, 'attachment', data)
}
