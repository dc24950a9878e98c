import { limits } from '@svc/contracts/limits'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Queryable } from '@svc/db/database'
import { gather } from '@svc/db/gather'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize, isAllowed, whereVisibleTo } from '../access/authorize.ts'
import { isOffered } from '../access/offered.ts'
import type { Actor } from '../common/actor.ts'
import { selectMissionEvents } from '../entities/missions/events.ts'
import { scopeOfMission, requireMission, selectMission } from '../entities/missions/queries.ts'
import { viewMissionEvent } from '../entities/missions/views.ts'
import {
  scopeOfObjective,
  requireObjective,
  selectObjective,
} from '../entities/objectives/queries.ts'
import { viewObjective } from '../entities/objectives/views.ts'
import { listRunnerViews } from '../entities/runners/queries.ts'
import { isCalledOff, adviseOnRun } from '../next-steps/runs.ts'
import { pageOf, readCursor } from '../common/page.ts'
import { scopeOfProject, requireProject } from '../entities/projects/queries.ts'
import type { UseCase } from '../use-case.ts'
import { scopeOfRequest, requireRequest } from '../entities/execution-requests/queries.ts'
import { viewRequest, viewRequests } from '../entities/execution-requests/views.ts'

export async function getExecutionRequest(
  { domain: { db } }: UseCase,
  actor: Actor,
  { id }: RouteInput<'getExecutionRequest'>,
): Promise<RouteOutput<'getExecutionRequest'>> {
  const request = await requireRequest(db, actor.workspaceId, id)
  authorize(actor, 'mission:read', scopeOfRequest(request, id))
  const run = await viewRequest(db, actor, request)
  const isWaiting = run.status === 'queued' && !run.lastRelease
  const seesRunners = isAllowed(actor, 'project:read', scopeOfRequest(request, id))
  const context = {
    of: await objectiveOf(db, request),
    runners: isWaiting && seesRunners ? await listRunnerViews(db, actor.workspaceId) : undefined,
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

const accessColumnsOfRequests = {
  projectId: sql`project_id`,
  missionId: sql`mission_id`,
  objectiveId: sql`objective_id`,
}

/** So many runs are looked through for a page, however few of them are of what was asked for. */
export const mostLookedThrough = 2_000

/** Newest first. A page may hold fewer than asked for, and go on all the same: its cursor is where the look ended. */
export async function listExecutionRequests(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listExecutionRequests'>,
): Promise<RouteOutput<'listExecutionRequests'>> {
  authorize(actor, 'mission:read')
  const { db } = domain
  const rows = await lookThrough(db, actor, {
    ...input,
    ...(await resolveFilter(db, actor, input)),
  })
  const { items, nextCursor } = pageOf(rows, input.limit, (request) => request.id)
  const end = rows.at(-1)
  const hasMore = nextCursor.nextCursor === undefined && end?.last
  return {
    executionRequests: await viewRequests(
      db,
      actor,
      items.filter((request) => request.asked),
    ),
    ...(hasMore ? { nextCursor: end.id } : nextCursor),
  }
}

/** Finds those asked for among the runs that a page looks through, and the last run looked at, whatever it is. */
function lookThrough(db: Queryable, actor: Actor, filter: RouteInput<'listExecutionRequests'>) {
  const conditions = [
    whereVisibleTo(actor, accessColumnsOfRequests),
    ...(filter.projectId ? [sql`project_id = ${filter.projectId}`] : []),
    ...(filter.status ? [sql`status = ${filter.status}`] : []),
    ...(filter.state ? [sql`coalesce(outcome, status) = ${filter.state}`] : []),
  ]
  const asked = sql<boolean>`(${sql.join(conditions, sql` and `)})`
  return db
    .selectFrom(newestOf(db, actor, filter).as('walked'))
    .selectAll()
    .select(asked.as('asked'))
    .where(sql<boolean>`(${asked} or last)`)
    .orderBy('seq', 'desc')
    .limit(filter.limit + 1)
    .execute()
}

/** Each by an index that has them in this order. */
function newestOf(
  db: Queryable,
  actor: Actor,
  {
    missionId,
    objectiveId,
    ids,
    cursor,
  }: Filter & Pick<RouteInput<'listExecutionRequests'>, 'ids' | 'cursor'>,
) {
  let walked = db
    .selectFrom('execution_requests')
    .selectAll()
    .select(sql<boolean>`row_number() over (order by seq desc) = ${mostLookedThrough}`.as('last'))
    .where('workspace_id', '=', actor.workspaceId)
    .orderBy('seq', 'desc')
    .limit(mostLookedThrough)
  if (missionId) walked = walked.where('mission_id', '=', missionId)
  if (objectiveId) walked = walked.where('objective_id', '=', objectiveId)
  if (ids) walked = walked.where(sql<boolean>`id = any(array(select unnest(${ids}::uuid[])))`)
  // the index of a whole workspace has nothing else
  else if (!missionId && !objectiveId) walked = walked.where(sql<boolean>`seq > 0`)
  const before = readCursor(cursor)
  return before ? walked.where('seq', '<', seqOf(db, actor, before)) : walked
}

type Filter = Pick<RouteInput<'listExecutionRequests'>, 'projectId' | 'missionId' | 'objectiveId'>

/** The ids of what a list is narrowed to, by the call or by the token. */
async function resolveFilter(db: Queryable, actor: Actor, filter: Filter): Promise<Filter> {
  const narrowed: Filter = { objectiveId: actor.credential.objective?.id }
  if (filter.projectId) {
    const project = await requireProject(db, actor.workspaceId, filter.projectId)
    authorize(actor, 'mission:read', scopeOfProject(project, filter.projectId))
    narrowed.projectId = project.id
  }
  if (filter.missionId) {
    const mission = await requireMission(db, actor.workspaceId, filter.missionId)
    authorize(actor, 'mission:read', scopeOfMission(mission, filter.missionId))
    narrowed.missionId = mission.id
  }
  if (filter.objectiveId) {
    const found = await requireObjective(db, actor.workspaceId, filter.objectiveId)
    authorize(actor, 'mission:read', scopeOfObjective(found, filter.objectiveId))
    narrowed.objectiveId = found.objective.id
  }
  return narrowed
}

/** A page goes on from the run that its cursor names. */
function seqOf(db: Queryable, { workspaceId }: Actor, id: string) {
  return db
    .selectFrom('execution_requests')
    .select('seq')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
}
