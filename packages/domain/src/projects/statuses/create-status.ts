import { ServiceError } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { newId } from '../../common/ids.ts'
import { inTransaction } from '../../commit/transaction.ts'
import type { UseCase } from '../../use-case.ts'
import { listStatuses, scopeOfProject } from '../../entities/projects/queries.ts'
import { viewProject, viewStatus } from '../../entities/projects/views.ts'
import { reviseStatuses } from './revise.ts'
import { lockProject } from '../../entities/projects/lock-project.ts'

export async function createProjectStatus(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'createProjectStatus'>,
): Promise<RouteOutput<'createProjectStatus'>> {
  return inTransaction(context, async (tx) => {
    const project = await lockProject(tx, actor.workspaceId, input.id)
    authorize(actor, 'project:update', scopeOfProject(project, input.id))
    const existing = await listStatuses(tx, project)
    refuseIfFull(existing.length)
    const status = await tx
      .insertInto('project_statuses')
      .values({
        workspace_id: actor.workspaceId,
        project_id: project.id,
        id: newId(),
        type: input.type,
        label: input.label,
        position: existing.length + 1,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const revised = await reviseStatuses(tx, project, 'status', { statusId: status.id })
    return { status: viewStatus(status), project: viewProject(revised) }
  })
}

function refuseIfFull(count: number): void {
  if (count < limits.statusesPerProject) return
  throw new ServiceError(
    'validation_failed',
    `A project has ${limits.statusesPerProject} statuses at most. Rename or delete one.`,
  )
}
