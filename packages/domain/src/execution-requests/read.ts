import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Queryable } from '@svc/db/database'
import { sql } from 'kysely'
import { authorize, whereWithinReach } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import { placeOf, requireMission } from '../missions/queries.ts'
import { placeOfObjective, requireObjective } from '../objectives/queries.ts'
import { pageOf, readCursor } from '../page.ts'
import { placeOfProject, requireProject } from '../projects/queries.ts'
import type { UseCase } from '../use-case.ts'
import { placeOfRequest, requireRequest } from './queries.ts'
import { viewRequest, viewRequests } from './views.ts'

export async function getExecutionRequest(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'getExecutionRequest'>,
): Promise<RouteOutput<'getExecutionRequest'>> {
  const request = await requireRequest(domain.db, actor.workspaceId, input.id)
  authorize(actor, 'mission:read', placeOfRequest(request, input.id))
  return { executionRequest: await viewRequest(domain.db, actor, request) }
}

const reachOfRequests = {
  projectId: sql`project_id`,
  missionId: sql`mission_id`,
  objectiveId: sql`objective_id`,
}

/** Newest first. */
export async function listExecutionRequests(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listExecutionRequests'>,
): Promise<RouteOutput<'listExecutionRequests'>> {
  authorize(actor, 'mission:read')
  const { db } = domain
  let query = db
    .selectFrom('execution_requests')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where(whereWithinReach(actor, reachOfRequests))
    .orderBy('seq', 'desc')
    .limit(input.limit + 1)
  if (input.projectId) {
    const project = await requireProject(db, actor.workspaceId, input.projectId)
    authorize(actor, 'mission:read', placeOfProject(project, input.projectId))
    // by its missions, whose runs have an index
    const missions = sql`select id from missions
      where workspace_id = ${actor.workspaceId} and project_id = ${project.id}`
    query = query.where(sql<boolean>`mission_id = any(array(${missions}))`)
  }
  if (input.missionId) {
    const mission = await requireMission(db, actor.workspaceId, input.missionId)
    authorize(actor, 'mission:read', placeOf(mission, input.missionId))
    query = query.where('mission_id', '=', mission.id)
  }
  if (input.objectiveId) {
    const found = await requireObjective(db, actor.workspaceId, input.objectiveId)
    authorize(actor, 'mission:read', placeOfObjective(found, input.objectiveId))
    query = query.where('objective_id', '=', found.objective.id)
  }
  // their index has nothing else
  if (!input.projectId && !input.missionId && !input.objectiveId)
    query = query.where(sql<boolean>`seq > 0`)
  if (input.status) query = query.where('status', '=', input.status)
  if (input.state) query = query.where(sql<boolean>`coalesce(outcome, status) = ${input.state}`)
  const before = readCursor(input.cursor)
  if (before) query = query.where('seq', '<', seqOf(db, actor, before))
  const { items, nextCursor } = pageOf(await query.execute(), input.limit, (request) => request.id)
  return { executionRequests: await viewRequests(db, actor, items), ...nextCursor }
}

/** A page goes on from the run that its cursor names. */
function seqOf(db: Queryable, { workspaceId }: Actor, id: string) {
  return db
    .selectFrom('execution_requests')
    .select('seq')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
}
