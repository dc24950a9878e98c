import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { notFound } from '../../common/errors.ts'
import { inTransaction } from '../../commit/transaction.ts'
import type { UseCase } from '../../use-case.ts'
import { listStatuses, scopeOfProject } from '../../entities/projects/queries.ts'
import { viewProject, viewStatus } from '../../entities/projects/views.ts'
import { refuseIfStatusesRevised, reviseStatuses } from './revise.ts'
import { lockProject } from '../../entities/projects/lock-project.ts'

/** Names every status exactly once, in the new order. */
export async function orderProjectStatuses(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'orderProjectStatuses'>,
): Promise<RouteOutput<'orderProjectStatuses'>> {
  return inTransaction(context, async (tx) => {
    const project = await lockProject(tx, actor.workspaceId, input.id)
    authorize(actor, 'project:update', scopeOfProject(project, input.id))
    const existing = await listStatuses(tx, project)
    refuseIfStatusesRevised(project, existing, input.expectedRevision)
    refuseUnlessSame(
      existing.map((status) => status.id),
      input.statusIds,
    )
    for (const [index, id] of input.statusIds.entries()) {
      await tx
        .updateTable('project_statuses')
        .set({ position: index + 1 })
        .where('workspace_id', '=', actor.workspaceId)
        .where('id', '=', id)
        .execute()
    }
    const revised = await reviseStatuses(tx, project, 'statuses')
    const statuses = await listStatuses(tx, project)
    return { statuses: statuses.map(viewStatus), project: viewProject(revised) }
  })
}

function refuseUnlessSame(existing: readonly string[], wanted: readonly string[]): void {
  const unknown = wanted.find((id) => !existing.includes(id))
  if (unknown) throw notFound('status', unknown)
  if (new Set(wanted).size === existing.length && wanted.length === existing.length) return
  throw new ServiceError(
    'order_conflict',
    'The order must name every status exactly once. Read the statuses again, then repeat.',
    { currentOrder: existing },
  )
}
