import type { ProjectRow, ProjectStatusRow } from '@svc/db/tables'
import { refuseIfRevised } from '../../common/revision.ts'
import type { UnitOfWork } from '../../commit/unit-of-work.ts'
import { viewProject, viewStatus } from '../../entities/projects/views.ts'
import { recordProjectChange } from '../record-change.ts'
import { changeProject } from '../update.ts'

/** Statuses have no revision of their own: one who orders them has seen them all. */
export function refuseIfStatusesRevised(
  project: ProjectRow,
  statuses: readonly ProjectStatusRow[],
  expected: number | undefined,
): void {
  refuseIfRevised(project.revision, expected, () => ({
    project: viewProject(project),
    statuses: statuses.map(viewStatus),
  }))
}

/** One more revision of the project, whose lock the caller holds. */
export async function reviseStatuses(
  tx: UnitOfWork,
  project: ProjectRow,
  operation: 'status' | 'statuses',
  data: Record<string, unknown> = {},
): Promise<ProjectRow> {
  const changed = await changeProject(tx, project)
  recordProjectChange(tx, changed, operation, data)
  return changed
}
