import type { ExecutionRequest } from '@svc/contracts/execution-request'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { isLive } from '@svc/contracts/states'
import type { Queryable } from '@svc/db/database'
import { authorize, holdsAnywhere } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { pageOf } from '../common/page.ts'
import { viewListed } from '../entities/run-lists/listed.ts'
import {
  type RunFilter,
  listNewestRuns,
  placeOf,
  visibleRuns,
} from '../entities/execution-requests/newest-runs.ts'
import { requireMission, scopeOfMission } from '../entities/missions/queries.ts'
import { requireObjective, scopeOfObjective } from '../entities/objectives/queries.ts'
import { projectsOfList } from '../entities/projects/of-list.ts'
import { listRunnerViews, requireRunner } from '../entities/runners/queries.ts'
import { untakenOf } from '../next-steps/runs.ts'
import type { UseCase } from '../use-case.ts'
import { countRuns } from './count.ts'

/** Newest first. */
export async function listExecutionRequests(
  { domain: { db } }: UseCase,
  actor: Actor,
  input: RouteInput<'listExecutionRequests'>,
): Promise<RouteOutput<'listExecutionRequests'>> {
  authorize(actor, 'mission:read')
  const filter = visibleRuns(actor, await resolveFilter(db, actor, input))
  const before = await placeOf(db, actor, input.cursor)
  const page = { limit: input.limit + 1, before }
  const rows = await listNewestRuns(db, actor.workspaceId, filter, page)
  const { items, nextCursor } = pageOf(rows, input.limit, (request) => request.id)
  const executionRequests = await viewListed(db, actor, items)
  const { countSince } = input
  return {
    executionRequests,
    untaken: await listUntaken(db, actor, executionRequests),
    ...(countSince !== undefined && {
      counts: await countRuns(db, actor, { projectIds: filter.projectIds, since: countSince }),
    }),
    ...nextCursor,
  }
}

/** Runners are read where something waits for one, or is with one that may have gone away. */
async function listUntaken(
  db: Queryable,
  actor: Actor,
  runs: readonly ExecutionRequest[],
): Promise<Record<string, string>> {
  if (!runs.some(isLive) || !holdsAnywhere(actor, 'project:read')) return {}
  return untakenOf(await listRunnerViews(db, actor.workspaceId), runs)
}

/** The ids of what the call narrows the list to, each of which the caller may see. */
async function resolveFilter(
  db: Queryable,
  actor: Actor,
  input: RouteInput<'listExecutionRequests'>,
): Promise<RunFilter> {
  const { workspaceId } = actor
  const { ids, states, runnerId } = input
  const narrowed: RunFilter = { ids, states, runnerId }
  narrowed.projectIds = await projectsOfList(db, actor, input.projectId)
  if (input.missionId) {
    const mission = await requireMission(db, workspaceId, input.missionId)
    authorize(actor, 'mission:read', scopeOfMission(mission, input.missionId))
    narrowed.missionId = mission.id
  }
  if (input.objectiveId) {
    const found = await requireObjective(db, workspaceId, input.objectiveId)
    authorize(actor, 'mission:read', scopeOfObjective(found, input.objectiveId))
    narrowed.objectiveId = found.objective.id
  }
  if (input.runnerId) await requireRunner(db, workspaceId, input.runnerId)
  return narrowed
}
