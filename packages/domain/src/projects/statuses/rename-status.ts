import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { inTransaction } from '../../commit/transaction.ts'
import { notFound } from '../../common/errors.ts'
import type { UseCase } from '../../use-case.ts'
import { lockProject } from '../../entities/projects/lock-project.ts'
import { listStatuses, scopeOfProject } from '../../entities/projects/queries.ts'
import { viewProject, viewStatus } from '../../entities/projects/views.ts'
import { refuseIfStatusesRevised, reviseStatuses } from './revise.ts'

/** The label is the project's own; what the status means, its type, stays. */
export async function renameProjectStatus(
  context: UseCase,
  actor: Actor,
  { id, statusId, label, expectedRevision }: RouteInput<'renameProjectStatus'>,
): Promise<RouteOutput<'renameProjectStatus'>> {
  return inTransaction(context, async (tx) => {
    const project = await lockProject(tx, actor.workspaceId, id)
    authorize(actor, 'project:update', scopeOfProject(project, id))
    refuseIfStatusesRevised(project, await listStatuses(tx, project), expectedRevision)
    const status = await tx
      .updateTable('project_statuses')
      .set({ label })
      .where('workspace_id', '=', actor.workspaceId)
      .where('project_id', '=', project.id)
      .where('id', '=', statusId)
      .returningAll()
      .executeTakeFirst()
    if (!status) throw notFound('status', statusId)
    const revised = await reviseStatuses(tx, project, 'status', { statusId })
    return { status: viewStatus(status), project: viewProject(revised) }
  })
}
