import { limits } from '@svc/contracts/limits'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { isLive } from '@svc/contracts/states'
import type { Queryable } from '@svc/db/database'
import { gather } from '@svc/db/gather'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { authorize, isAllowed } from '../access/authorize.ts'
import { isOffered } from '../access/offered.ts'
import type { Actor } from '../common/actor.ts'
import { selectMissionEvents } from '../entities/missions/events.ts'
import { selectMission } from '../entities/missions/queries.ts'
import { viewMissionEvent } from '../entities/missions/views.ts'
import { selectObjective } from '../entities/objectives/queries.ts'
import { viewObjective } from '../entities/objectives/views.ts'
import { listRunnerViews } from '../entities/runners/queries.ts'
import { isCalledOff, adviseOnRun } from '../next-steps/runs.ts'
import type { UseCase } from '../use-case.ts'
import { scopeOfRequest, requireRequest } from '../entities/execution-requests/queries.ts'
import { viewRequest } from '../entities/execution-requests/views.ts'

export async function getExecutionRequest(
  { domain: { db } }: UseCase,
  actor: Actor,
  { id }: RouteInput<'getExecutionRequest'>,
): Promise<RouteOutput<'getExecutionRequest'>> {
  const request = await requireRequest(db, actor.workspaceId, id)
  authorize(actor, 'mission:read', scopeOfRequest(request, id))
  const run = await viewRequest(db, actor, request)
  const seesRunners = isAllowed(actor, 'project:read', scopeOfRequest(request, id))
  const context = {
    of: await objectiveOf(db, request),
    runners: isLive(run) && seesRunners ? await listRunnerViews(db, actor.workspaceId) : undefined,
    events: isCalledOff(run) ? await newestEvents(db, request) : [],
  }
  return adviseOnRun(run, context, (step) => isOffered(actor, step))
}

async function objectiveOf(
  db: Queryable,
  { workspace_id, mission_id, objective_id }: ExecutionRequestRow,
) {
  const { missions, objectives } = await gather(db, {
    missions: selectMission(workspace_id, mission_id),
    objectives: selectObjective(db, workspace_id, objective_id),
  })
  const [mission] = missions
  const [objective] = objectives
  if (!mission || !objective) return undefined
  return { objective: viewObjective(mission, objective), phase: mission.status_type }
}

async function newestEvents(db: Queryable, { workspace_id, mission_id: id }: ExecutionRequestRow) {
  const page = { limit: limits.pageItemsMax }
  const { rows } = await selectMissionEvents(db, { workspace_id, id }, page).execute(db)
  return rows.map(viewMissionEvent)
}
