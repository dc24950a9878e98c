import { launchSettingsOf } from '@svc/contracts/launch-settings'
import type { Assignment, Resume } from '@svc/contracts/assignment'
import type { Queryable } from '@svc/db/database'
import { gather } from '@svc/db/gather'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import { selectBranches, viewAssignedBranches } from '../entities/branches/assigned.ts'
import { notFound } from '../common/errors.ts'
import { where } from '../states/states.ts'
import { selectMission } from '../entities/missions/queries.ts'
import { viewMission } from '../entities/missions/views.ts'
import { selectObjective } from '../entities/objectives/queries.ts'
import { viewObjective } from '../entities/objectives/views.ts'
import { viewLaunchSettings } from '../projects/launch-settings.ts'
import { goesOnWithConversation } from '../entities/execution-requests/conversation.ts'
import { selectProject } from '../entities/projects/queries.ts'
import { selectResources, viewResource } from '../entities/projects/resources.ts'
import { viewProject } from '../entities/projects/views.ts'
import { selectLinked, viewLinked } from '../entities/execution-requests/views.ts'

interface Assigned {
  request: ExecutionRequestRow
  device: string
  /** What is written by the same statement; nothing of it is read. */
  carries?: RawBuilder<unknown> | undefined
}

/** Everything that a runner needs for this one request; placeholders stay as they were written. */
export async function buildAssignment(
  db: Queryable,
  actor: Actor,
  { request, device, carries }: Assigned,
): Promise<Assignment> {
  const { workspace_id: workspaceId, project_id: projectId } = request
  const { userId } = actor
  const reads = {
    linked: selectLinked(workspaceId, request.id),
    missions: selectMission(workspaceId, request.mission_id),
    objectives: selectObjective(db, workspaceId, request.objective_id),
    projects: selectProject(db, workspaceId, projectId),
    resources: selectResources({ workspaceId, projectId, userId, device }),
    siblings: selectSiblings(db, request),
    branches: selectBranches(request),
    resumed: selectResumed(request),
  }
  const found = await gather(db, reads, carries)
  const [linked] = found.linked
  const [mission] = found.missions
  const [objective] = found.objectives
  const [project] = found.projects
  if (!mission || !objective || !project) throw notFound('objective', request.objective_id)
  return {
    executionRequest: viewLinked(request, actor, linked),
    mission: viewMission(mission),
    objective: viewObjective(mission, objective),
    project: viewProject(project),
    launchSettings: launchSettingsOf(viewLaunchSettings(project)),
    resources: found.resources.map(viewResource),
    siblings: found.siblings.map((row) => ({
      requestId: row.id,
      objectiveId: row.objective_id,
      resourceKey: row.resource_key,
      branch: row.prepared?.branch ?? null,
      alsoIn: (row.prepared?.others ?? []).map(({ resourceKey }) => resourceKey),
      createdAt: row.created_at.toISOString(),
    })),
    resume: viewResume(request, found.resumed[0]),
    branches: viewAssignedBranches(mission, request, found.branches),
  }
}

/** An objective has one live request at most: a preview has none yet, and one that it would replace is no sibling. */
function selectSiblings(db: Queryable, request: ExecutionRequestRow) {
  return (
    db
      .selectFrom('execution_requests')
      .select(['id', 'objective_id', 'resource_key', 'prepared', 'created_at'])
      .where('workspace_id', '=', request.workspace_id)
      .where('mission_id', '=', request.mission_id)
      .where('objective_id', '!=', request.objective_id)
      // so written no partial index seems to fit, which would be read for its workspace until anything is analysed
      .where(sql<boolean>`${where.live()} is not distinct from true`)
      .orderBy('created_at')
  )
}

interface Resumed extends Pick<ExecutionRequestRow, 'prepared' | 'process'> {
  external_session_id: string | null
}

function selectResumed({ workspace_id, resume_of }: ExecutionRequestRow): RawBuilder<Resumed> {
  return sql<Resumed>`
    select e.prepared, e.process, s.external_session_id
      from execution_requests e
      left join lateral (
        select a.external_session_id from agent_sessions a
         where a.workspace_id = e.workspace_id and a.execution_request_id = e.id
         order by a.seq desc limit 1) s on true
     where e.workspace_id = ${workspace_id} and e.id = ${resume_of}`
}

function viewResume(request: ExecutionRequestRow, resumed: Resumed | undefined): Resume | null {
  if (!resumed) return null
  // whichever machine took it knows of the run before only what is recorded of its branch
  if (request.only_device === null) return { externalSessionId: null, prepared: null }
  const own = resumed.external_session_id ?? resumed.process?.externalSessionId ?? null
  const { prepared } = resumed
  return {
    externalSessionId: goesOnWithConversation(request) ? own : null,
    prepared: prepared && {
      ...prepared,
      missionBranch: prepared.missionBranch ?? null,
      startSha: prepared.startSha ?? null,
      warnings: [],
      others: prepared.others ?? [],
    },
  }
}
