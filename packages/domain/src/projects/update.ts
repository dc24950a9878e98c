import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import type { ProjectRow, Tables } from '@svc/db/tables'
import type { Updateable } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import { refuseIfRevised } from '../common/revision.ts'
import type { UseCase } from '../use-case.ts'
import { lockProject } from '../entities/projects/lock-project.ts'
import { scopeOfProject } from '../entities/projects/queries.ts'
import { recordProjectChange } from './record-change.ts'
import { viewProject } from '../entities/projects/views.ts'

/** The slug stays for good: it is the first part of every display id. */
export async function updateProject(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'updateProject'>,
): Promise<RouteOutput<'updateProject'>> {
  return inTransaction(context, async (tx) => {
    const project = await lockProject(tx, actor.workspaceId, input.id)
    authorize(actor, 'project:update', scopeOfProject(project, input.id))
    refuseIfRevised(project.revision, input.expectedRevision, () => ({
      project: viewProject(project),
    }))
    const { name, defaultBranch, useWorktrees, maxRuntimeMinutes } = input
    const changed = await changeProject(tx, project, {
      ...(name !== undefined && { name }),
      ...(defaultBranch !== undefined && { default_branch: defaultBranch }),
      ...(useWorktrees !== undefined && { use_worktrees: useWorktrees }),
      ...(maxRuntimeMinutes !== undefined && { max_runtime_minutes: maxRuntimeMinutes }),
    })
    recordProjectChange(tx, changed, 'update', { revision: changed.revision })
    return { project: viewProject(changed) }
  })
}

/** Changes the project and raises its revision. The caller holds its lock. */
export async function changeProject(
  tx: Tx,
  project: ProjectRow,
  set: Updateable<Tables['projects']> = {},
): Promise<ProjectRow> {
  return tx
    .updateTable('projects')
    .set({ ...set, revision: project.revision + 1 })
    .where('workspace_id', '=', project.workspace_id)
    .where('id', '=', project.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
