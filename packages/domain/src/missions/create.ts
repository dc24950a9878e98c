import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { newId } from '../common/ids.ts'
import { checksOf, insertObjectives } from '../objectives/add.ts'
import { refuseCheck } from '../objectives/refuse-check.ts'
import { viewObjective } from '../entities/objectives/views.ts'
import { scopeOfProject, requireProject } from '../entities/projects/queries.ts'
import { recordChange } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { requireMission } from '../entities/missions/queries.ts'
import { viewMission } from '../entities/missions/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

export async function createMission(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'createMission'>,
): Promise<RouteOutput<'createMission'>> {
  return inTransaction(context, (tx) => makeMission(tx, actor, input))
}

/** In a transaction of the caller's. */
export async function makeMission(
  tx: UnitOfWork,
  actor: Actor,
  input: RouteInput<'createMission'>,
): Promise<RouteOutput<'createMission'>> {
  const project = await requireProject(tx, actor.workspaceId, input.projectId)
  const scope = scopeOfProject(project, input.projectId)
  authorize(actor, 'mission:create', scope)
  if (input.objectives.length > 0) authorize(actor, 'objective:create', scope)
  if (input.auto_advance) authorize(actor, 'execution_request:create', scope)
  const id = await insertMission(tx, actor, project.id, input)
  const mission = await requireMission(tx, actor.workspaceId, id)
  recordChange(tx, { mission }, 'create')
  await refuseCheck(tx, actor, mission, checksOf(input.objectives))
  const objectives = await insertObjectives(tx, actor.userId, mission, input.objectives)
  return {
    mission: viewMission(mission),
    objectives: objectives.map((objective) => viewObjective(mission, objective)),
  }
}

async function insertMission(
  tx: UnitOfWork,
  actor: Actor,
  projectId: string,
  input: RouteInput<'createMission'>,
): Promise<string> {
  const id = newId()
  // the project's row counts its missions, so two creators wait for each other and never share a sequence
  await sql`
    with counted as (
      update projects set mission_sequence = mission_sequence + 1
       where workspace_id = ${actor.workspaceId} and id = ${projectId}
      returning mission_sequence
    )
    insert into missions (workspace_id, id, project_id, sequence, title, status_id, priority,
                          allow_parallel_objectives, use_worktrees, auto_advance,
                          auto_advance_set_by, created_by)
    select ${actor.workspaceId}, ${id}, ${projectId}, counted.mission_sequence, ${input.title}, s.id,
           ${input.priority}, ${input.allowParallelObjectives}, ${input.useWorktrees}, ${input.auto_advance},
           ${input.auto_advance ? actor.userId : null}, ${actor.userId}
      from counted, lateral (
        select id from project_statuses
         where workspace_id = ${actor.workspaceId} and project_id = ${projectId} and type = 'draft'
         order by position limit 1) s`.execute(tx)
  return id
}
