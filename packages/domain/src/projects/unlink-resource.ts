import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import type { ProjectRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import { notFound } from '../common/errors.ts'
import { where } from '../states/states.ts'
import type { UseCase } from '../use-case.ts'
import { scopeOfProject, requireProject } from '../entities/projects/queries.ts'
import { recordProjectChange } from './record-change.ts'

const named = 5

/** Takes a resource from the project. What missions left in it stays recorded, should it be linked again. */
export async function unlinkProjectResource(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'unlinkProjectResource'>,
): Promise<undefined> {
  return inTransaction(context, async (tx) => {
    const project = await requireProject(tx, actor.workspaceId, input.id)
    authorize(actor, 'project:update', scopeOfProject(project, input.id))
    await sql`select from projects where workspace_id = ${actor.workspaceId} and id = ${project.id}
               for no key update`.execute(tx)
    // the row's lock in full: a launch that has chosen this resource is waited for, a later one finds it gone
    const { rows } = await sql`
      select from project_resources
       where workspace_id = ${actor.workspaceId} and project_id = ${project.id}
         and resource_key = ${input.key} for update`.execute(tx)
    if (rows.length === 0) throw notFound('resource', input.key)
    await refuseIfInUse(tx, project, input.key)
    await tx
      .deleteFrom('project_resources')
      .where('workspace_id', '=', actor.workspaceId)
      .where('project_id', '=', project.id)
      .where('resource_key', '=', input.key)
      .execute()
    recordProjectChange(tx, project, 'resource', { resourceKey: input.key })
    return undefined
  })
}

async function refuseIfInUse(tx: Tx, project: ProjectRow, key: string): Promise<void> {
  const { rows } = await sql<{ sequence: number; key: string }>`
    select m.sequence, o.key from execution_requests
      join missions m on m.workspace_id = execution_requests.workspace_id and m.id = mission_id
      join objectives o on o.workspace_id = execution_requests.workspace_id and o.id = objective_id
     where execution_requests.workspace_id = ${project.workspace_id}
       and execution_requests.project_id = ${project.id}
       and execution_requests.resource_key = ${key} and ${where.live()}
     order by execution_requests.created_at limit ${named + 1}`.execute(tx)
  if (rows.length === 0) return
  const objectives = rows.map((row) => `${project.slug}:${row.sequence}.${row.key}`)
  const shown = objectives.slice(0, named).join(', ') + (rows.length > named ? ' and more' : '')
  throw new ServiceError(
    'resource_in_use',
    `The resource ${key} is what ${shown} was launched on. Wait until that is over, then unlink it.`,
    { resourceKey: key, objectives: objectives.slice(0, named) },
  )
}
