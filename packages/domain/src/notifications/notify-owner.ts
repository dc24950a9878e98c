import type { ExecutionRequestRow, MissionRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { type Notice, insertingNotices, notifyAdmins } from './notify-admins.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

interface Work {
  mission: Pick<MissionRow, 'workspace_id' | 'project_id'>
  request?: Pick<ExecutionRequestRow, 'requested_by'> | undefined
}

/** A notification for whoever launched the run; for the admins where nobody did. Decision 53. */
export async function notifyOwner(
  tx: UnitOfWork,
  { mission, request }: Work,
  given: Notice,
): Promise<void> {
  const { workspace_id: workspaceId, project_id } = mission
  const notice = { ...given, project_id }
  if (!request) return notifyAdmins(tx, workspaceId, notice)
  const inserting = insertingNotices(tx, workspaceId, [request.requested_by], notice)
  tx.pending.addStatement('notice', sql`${inserting}`)
}
