import { recordChange } from '../commit/records.ts'
import type { ObjectiveInMission } from '../entities/objectives/queries.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

export function recordAttachmentChange(
  tx: UnitOfWork,
  { mission, objective }: ObjectiveInMission,
  data: { attachmentId: string; name: string; deleted?: true },
): void {
  recordChange(tx, { objective, mission }, 'attachment', data)
}
