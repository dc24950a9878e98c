import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Queryable } from '@svc/db/database'
import { gather } from '@svc/db/gather'
import type { ExecutionRequestRow, RunnerRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { notFound } from '../common/errors.ts'
import { buildAssignment } from '../execution-requests/assignment.ts'
import { newRequest } from '../execution-requests/insert.ts'
import { selectLiveRequest } from '../entities/execution-requests/queries.ts'
import type { UseCase } from '../use-case.ts'
import { resolveConfig, selectLaunchSettings } from '../entities/objectives/launch-config.ts'
import { chooseTarget, selectTargets } from '../entities/objectives/launch-target.ts'
import { refuseLaunch } from './refuse-launch.ts'
import {
  type ObjectiveInMission,
  scopeOfObjective,
  requireObjective,
  selectActive,
} from '../entities/objectives/queries.ts'

/** Stands for the id of a request: whoever reads it in a path or a variable sees that nothing was queued. */
const noRequest = '00000000-0000-0000-0000-000000000000'

/**
 * What a claim of this launch would be answered now, for whoever may claim: the values of the project's variables are in
 * it. Nothing is queued, and no runner hears of it.
 */
export async function previewLaunch(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'previewLaunch'>,
): Promise<RouteOutput<'previewLaunch'>> {
  const { db } = domain
  const found = await requireObjective(db, actor.workspaceId, input.id)
  authorize(actor, 'execution_request:claim', scopeOfObjective(found, input.id))
  const request = await wouldBeQueued(db, actor, found, input)
  const device = input['x-svc-device'] ?? ''
  return { assignment: await buildAssignment(db, actor, { request, device }) }
}

async function wouldBeQueued(
  db: Queryable,
  actor: Actor,
  { mission, objective }: ObjectiveInMission,
  { fromBase, ...choice }: RouteInput<'previewLaunch'>,
): Promise<ExecutionRequestRow> {
  const { workspaceId, userId } = actor
  const project = { workspace_id: workspaceId, id: mission.project_id }
  const found = await gather(db, {
    linked: selectTargets(db, project),
    projects: selectLaunchSettings(db, project),
    requests: selectLiveRequest(db, { workspace_id: workspaceId, id: objective.id }),
    active: selectActive(db, { workspace_id: workspaceId, id: mission.id }),
    runners: sql<RunnerRow>`
      select * from runners where workspace_id = ${workspaceId} and user_id = ${userId}
         and fingerprint = ${choice['x-svc-device'] ?? null} and removed_at is null`,
    times: sql<{ created_at: Date }>`select app.now() as created_at`,
  })
  const [settings] = found.projects
  const [time] = found.times
  if (!settings || !time) throw notFound('project', mission.project_id)
  const target = chooseTarget(found.linked, objective, choice.resourceKey)
  const [live] = found.requests
  const { agent } = choice
  await refuseLaunch(db, { mission, objective, agent, target, live, active: found.active })
  return newRequest(time.created_at, {
    id: noRequest,
    workspace_id: workspaceId,
    project_id: mission.project_id,
    mission_id: mission.id,
    objective_id: objective.id,
    seq: 0,
    generation: 1,
    source: 'cli',
    agent: choice.agent,
    resource_key: target?.resource_key ?? null,
    config: resolveConfig(choice, objective, settings),
    from_base: fromBase === 'true',
    runner_id: found.runners[0]?.id ?? null,
    requested_by: userId,
  })
}
