import type { ProjectRow } from '@svc/db/tables'
import { recordChange } from '../commit/records.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** A change of the project itself, of its statuses, resources or settings, for the live feed. */
export function recordProjectChange(
  tx: UnitOfWork,
  project: ProjectRow,
  operation: string,
  data: Record<string, unknown> = {},
): void {
  recordChange(tx, { project }, operation, data)
}
